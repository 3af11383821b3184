// Checks how a game was dealt, by the scheme callbreak-deal/1, with nothing but the browser's own arithmetic.
// Written from docs/fair-deals.md: it shares no code with the server and believes only what it has computed itself.

const SCHEME = "callbreak-deal/1";
const RANKS = "23456789TJQKA";
const SUITS = "CDHS";
const PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const WORDS_END = 2 ** 32;

const ascii = (text) => new TextEncoder().encode(text);

function bytes(hex, length) {
  if (typeof hex !== "string" || hex.length !== 2 * length || !/^[0-9a-f]*$/i.test(hex)) throw new TypeError("not hex");
  return Uint8Array.from({ length }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

const toHex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function joined(...fields) {
  // Each field after its length as four bytes, big-endian.
  const whole = new Uint8Array(fields.reduce((length, field) => length + 4 + field.length, 0));
  let at = 0;
  for (const field of fields) {
    new DataView(whole.buffer).setUint32(at, field.length);
    whole.set(field, at + 4);
    at += 4 + field.length;
  }
  return whole;
}

async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

export async function commitment(gameId, round, secret) {
  const fields = [ascii("callbreak-commit/1"), bytes(gameId, 16), Uint8Array.of(round), bytes(secret, 32)];
  return toHex(await crypto.subtle.digest("SHA-256", joined(...fields)));
}

export async function dealKey(secret, gameId, round, seeds, redeal = 0) {
  const fields = [ascii(SCHEME), bytes(gameId, 16), Uint8Array.of(round), ...seeds.map((seed) => bytes(seed, 32))];
  if (redeal) fields.push(Uint8Array.of(redeal));
  return hmac(bytes(secret, 32), joined(...fields));
}

async function* words(key) {
  for (let counter = 0; ; counter += 1) {
    const eight = new DataView(new ArrayBuffer(8));
    eight.setBigUint64(0, BigInt(counter));
    const block = new DataView((await hmac(key, new Uint8Array(eight.buffer))).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

export async function deck(key) {
  const cards = [...PACK];
  const stream = words(key);
  for (let top = 51; top > 0; top -= 1) {
    const fair = WORDS_END - (WORDS_END % (top + 1));
    let word;
    do word = (await stream.next()).value;
    while (word >= fair);
    const at = word % (top + 1);
    [cards[top], cards[at]] = [cards[at], cards[top]];
  }
  return cards;
}

export function deal(cards, dealer) {
  const hands = [[], [], [], []];
  cards.forEach((card, place) => hands[(dealer + 1 + place) % 4].push(card));
  return hands;
}

async function firstDealer(key) {
  return (await words(key).next()).value % 4;
}

function seatsDrawn(drawn) {
  // The seat of each joiner: the highest card gets seat 0; of equal ranks spades, hearts, diamonds, clubs.
  const height = (card) => 4 * RANKS.indexOf(card[0]) + SUITS.indexOf(card[1]);
  const highestFirst = [...drawn].sort((one, other) => height(other) - height(one));
  return drawn.map((card) => highestFirst.indexOf(card));
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isSameHand = (one, other) => isSame([...one].sort(), [...other].sort());
const areSameHands = (some, others) => some.length === others.length && some.every((hand, seat) => isSameHand(hand, others[seat]));

const HAS_REASON = {
  no_spade: (hands, seat) => hands[seat].every((card) => card[1] !== "S"),
  no_honour: (hands, seat) => hands[seat].every((card) => !"JQKA".includes(card[0])),
  low_bids: () => true,
};

async function earlierDeals(gameId, proof) {
  // What was dealt before the round was dealt again, and whether it had to be.
  if (proof.deals.length !== proof.redeals) return false;
  for (const [redeal, { hands, reason, seat }] of proof.deals.entries()) {
    const made = deal(await deck(await dealKey(proof.server_seed, gameId, proof.round, proof.seat_seeds, redeal)), proof.dealer);
    if (!areSameHands(made, hands) || !HAS_REASON[reason](made, seat)) return false;
  }
  return true;
}

async function draw(game, proof) {
  // Who sits where, or who deals first.
  const key = await dealKey(proof.server_seed, game.game_id, 0, proof.seat_seeds);
  if (game.seating !== "draw") {
    const dealer = await firstDealer(key);
    return game.rounds.every(({ round, dealer: told }) => round === 0 || told === (dealer + round - 1) % 4);
  }
  const drawn = (await deck(key)).slice(0, 4);
  const isSeated = isSame(proof.joined, seatsDrawn(drawn));
  const isShown = proof.joined.every((seat, order) => game.drawn[seat] === drawn[order]);
  return isSeated && isShown && game.rounds.every(({ round, dealer }) => round === 0 || dealer === (round - 1) % 4);
}

function seedsBySeat(game) {
  // The seats' own numbers as the draw had them, moved to where the joiners sit.
  const { joined: seats, seat_seeds: seeds } = game.rounds.find(({ round }) => round === 0);
  return [0, 1, 2, 3].map((seat) => seeds[seats.indexOf(seat)]);
}

function ownSeed(game, proof, kept) {
  if (!kept.seed) return null;
  if (game.me === null) return proof.seat_seeds.includes(kept.seed) || null; // who has left may find it at no seat
  const place = proof.round === 0 ? proof.joined.indexOf(game.me) : game.me;
  return proof.seat_seeds[place] === kept.seed;
}

const CHECKS = {
  promise: async (game, proof) =>
    proof.scheme === SCHEME && (await commitment(game.game_id, proof.round, proof.server_seed)) === proof.commitment,
  kept: (_, proof, kept) => (kept.commitments ? kept.commitments[proof.round] === proof.commitment : null),
  seed: ownSeed,
  seats: (game, proof) => (proof.round === 0 ? undefined : isSame(seedsBySeat(game), proof.seat_seeds)),
  deck: async (game, proof) =>
    isSame(await deck(await dealKey(proof.server_seed, game.game_id, proof.round, proof.seat_seeds, proof.redeals)), proof.deck),
  draw: (game, proof) => (proof.round === 0 ? draw(game, proof) : undefined),
  hands: async (game, proof) => {
    if (proof.round === 0) return undefined;
    const key = await dealKey(proof.server_seed, game.game_id, proof.round, proof.seat_seeds, proof.redeals);
    return areSameHands(deal(await deck(key), proof.dealer), proof.hands);
  },
  redeals: (game, proof) => (proof.round && (proof.redeals || proof.deals.length) ? earlierDeals(game.game_id, proof) : undefined),
};

async function outcome(check, game, proof, kept) {
  try {
    return await check(game, proof, kept);
  } catch {
    return false; // what cannot be read proves nothing
  }
}

export async function checkRound(game, proof, kept) {
  // Answers [name, true | false | null] for each check that applies; null where this browser keeps nothing to compare.
  const results = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const holds = await outcome(check, game, proof, kept);
    if (holds !== undefined) results.push([name, holds]);
  }
  return results;
}

export async function checkGame(game, kept) {
  // Answers the checks of each round whose secret is shown, by the round's number.
  const shown = game.rounds.filter((proof) => proof.server_seed !== null);
  return new Map(await Promise.all(shown.map(async (proof) => [proof.round, await checkRound(game, proof, kept)])));
}
