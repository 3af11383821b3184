// Says in words what happened, for who listens to the table instead of looking at it.

const log = document.getElementById("told");
export const words = JSON.parse(document.getElementById("words").textContent);
const { cards, told } = words;
const LINES_KEPT = 30;

export function tell(event, player = "", isMe = false) {
  const sentence = (isMe && told[`${event.type}.me`]) || told[event.type];
  if (!sentence) return;
  const known = { ...event.data, player, card: cards[event.data?.card] };
  say(sentence.replace(/%\((\w+)\)s/g, (_, name) => known[name] ?? ""));
}

export function say(text) {
  const line = document.createElement("p");
  line.textContent = text;
  log.append(line);
  while (log.children.length > LINES_KEPT) log.firstElementChild.remove();
}
