// The sounds of the table, made here from noise and sines; silent until the first touch, and when switched off.

import { keep, kept } from "../site/site.js";

let context;
let isOn = kept("sound") ? kept("sound") === "on" : document.body.dataset.silent === undefined;

addEventListener("pointerdown", begin, { once: true });
addEventListener("keydown", begin, { once: true });

function begin() {
  if (isOn) context ??= new AudioContext();
}

export function soundIsOn() {
  return isOn;
}

export function switchSound() {
  isOn = !isOn;
  keep("sound", isOn ? "on" : "off");
  begin();
  remember();
  return isOn;
}

// On the account, if there is one, for the other browsers.
function remember() {
  const path = document.body.dataset.sound;
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!path || !token) return;
  const body = new URLSearchParams({ is_on: isOn ? "yes" : "no", csrfmiddlewaretoken: token });
  fetch(path, { method: "POST", body, headers: { "X-Requested-With": "fetch" } }).catch(() => {});
}

function tone(frequency, start, length, loudness = 0.12, type = "sine") {
  const at = context.currentTime + start;
  const source = new OscillatorNode(context, { frequency, type });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0008, at + length);
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + length + 0.05);
}

function slap() {
  const length = Math.floor(context.sampleRate * 0.07);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < length; n += 1) samples[n] = (Math.random() * 2 - 1) * (1 - n / length) ** 4;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 1500 + Math.random() * 500, Q: 0.8 });
  const gain = new GainNode(context, { gain: 0.5 });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start();
}

const SOUNDS = {
  card: slap,
  trick: () => [523, 784].forEach((f, n) => tone(f, n * 0.07, 0.22, 0.09)),
  turn: () => tone(660, 0, 0.5, 0.1, "triangle"),
  round: () => [392, 494, 587].forEach((f, n) => tone(f, n * 0.12, 0.5, 0.09, "triangle")),
  won: () => [523, 659, 784, 1047].forEach((f, n) => tone(f, n * 0.14, 0.8, 0.1, "triangle")),
};

export function sound(name) {
  if (!isOn || !context || document.hidden) return;
  if (context.state === "suspended") context.resume();
  SOUNDS[name]();
}
