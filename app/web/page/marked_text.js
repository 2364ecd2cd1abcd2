// A document with the words that moved its score.

import { get } from "./api.js";
import { el } from "./dom.js";

// Where words are not parted by blanks, pairs of characters are terms.
const UNPARTED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Return a document's text, in which its terms are marked as soon as they are known. */
export function markedText({ id, text, metadata }, model) {
  const content = el("div", { className: "text", dir: "auto" }, text);
  const ofVector = el("small");
  get(`models/${model.id}/documents/${encodeURIComponent(id)}/explanation`).then(
    ({ terms }) => {
      content.replaceChildren(...marked(text, terms ?? []));
      const vector = terms?.find(({ term }) => term === "(vector)");
      if (vector) ofVector.textContent = `Its vector speaks ${told(vector.weight)}.`;
    },
    () => {}, // The text is there without.
  );
  return el("div", {}, content, ofVector, metadata ? list(metadata) : null);
}

/** Return the parts of a text, those that are terms in marks. */
export function marked(text, terms) {
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  if (!weights.size) return [text];
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(pattern([...weights.keys()]))) {
    const word = match[0].toLowerCase().replaceAll(/\s+/g, " ");
    const weight = weights.get(word);
    if (weight === undefined) continue;
    parts.push(
      text.slice(end, match.index),
      el("mark", { className: side(weight), title: `${side(weight)}: ${weight.toFixed(2)}` }, match[0]),
    );
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

const side = (weight) => (weight > 0 ? "for" : "against");
const told = (weight) => `${side(weight)} it (${weight.toFixed(2)})`;

function pattern(terms) {
  const longestFirst = terms.toSorted((a, b) => b.length - a.length);
  const one = (term) =>
    term.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(" ", "\\s+");
  const anyOf = (some) => some.map(one).join("|");
  const words = anyOf(longestFirst.filter((term) => !UNPARTED.test(term)));
  const unparted = anyOf(longestFirst.filter((term) => UNPARTED.test(term)));
  // Said of each word and not once of all, what stands around it takes seconds for thousands.
  const alone = words && `(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`;
  return new RegExp([alone, unparted].filter(Boolean).join("|"), "giu");
}

function list(metadata) {
  return el(
    "dl",
    {},
    Object.entries(metadata).flatMap(([name, value]) => [
      el("dt", {}, name),
      el("dd", { dir: "auto" }, linked(value)),
    ]),
  );
}

function linked(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (!/^https?:\/\/\S+$/.test(text)) return text;
  return el("a", { href: text, target: "_blank", rel: "noopener noreferrer" }, text);
}
