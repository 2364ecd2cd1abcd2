// A document with the words that moved its score.

import { get } from "./api.js";
import { el } from "./dom.js";

// Where words are not parted by blanks, pairs of characters are terms.
const UNPARTED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

// A browser is held up for seconds by more of them, which is a book.
const MOST_MARKS = 50_000;
const WORD = /[\p{L}\p{N}_]/uy;
const TOKENS = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu;
// Those that core counts by their length.
const LONG_NUMBERS = /(?<![\p{L}\p{N}_])[0-9]{5,}(?![\p{L}\p{N}_])/gu;
const FIRST = new RegExp(`^(?:${TOKENS.source})`, "u");

/** Return a document's text, in which its terms are marked as soon as they are known. */
export function markedText({ id, text, metadata }, model) {
  const content = el("div", { className: "text", dir: "auto" }, text);
  const ofVector = el("small");
  get(`models/${model.id}/documents/${encodeURIComponent(id)}/explanation`).then(
    ({ terms }) => {
      content.replaceChildren(el("span", {}, marked(text, terms ?? [], model)));
      const vector = terms?.find(({ term }) => term === "(vector)");
      if (vector) ofVector.textContent = `Its vector speaks ${told(vector.weight)}.`;
    },
    () => {}, // The text is there without.
  );
  return el("div", {}, content, ofVector, metadata ? list(metadata) : null);
}

/** Return the parts of a text, those that are terms in marks. */
export function marked(text, terms, { vectorizer }) {
  const parts = [];
  let end = 0;
  const read = vectorizer.long_numbers_as_zeros ? text.replace(LONG_NUMBERS, zeros) : text;
  for (const { start, end: next, weight } of found(read, terms)) {
    const title = `${side(weight)}: ${weight.toFixed(2)}`;
    const mark = el("mark", { className: side(weight), title }, text.slice(start, next));
    parts.push(text.slice(end, start), mark);
    end = next;
    if (parts.length >= 2 * MOST_MARKS) break;
  }
  return [...parts, text.slice(end)];
}

const zeros = (number) => "0".repeat(number.length);
const side = (weight) => (weight > 0 ? "for" : "against");
const told = (weight) => `${side(weight)} it (${weight.toFixed(2)})`;

/**
 * Yield where terms stand, the longest of those that begin at one place.
 * Each word is looked up: one expression of thousands of terms takes seconds, or is too large.
 */
function* found(text, terms) {
  const longestFirst = terms.toSorted((a, b) => b.term.length - a.term.length);
  const [unparted, parted] = [true, false].map((isSuch) =>
    Map.groupBy(
      longestFirst.filter(({ term }) => UNPARTED.test(term) === isSuch),
      ({ term }) => (isSuch ? term[0] : term.match(FIRST)?.[0]),
    ),
  );
  const endOf = comparison(text);
  let end = 0;
  const at = (start, candidates = [], isAlone = false) => {
    for (const { term, weight } of candidates) {
      const next = endOf(term, start);
      if (next === null || (isAlone && isWordAt(text, next))) continue;
      end = next;
      return { start, end, weight };
    }
    return null;
  };
  let endOfWord = -1;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const isWord = isWordAt(token, 0);
    // A sign that ends a word begins no term.
    const isBegin = isWord || index !== endOfWord;
    if (isWord) endOfWord = index + token.length;
    let one = isBegin && index >= end ? at(index, parted.get(token.toLowerCase()), true) : null;
    if (one) yield one;
    if (!unparted.size) continue;
    for (let i = Math.max(index, end); i < index + token.length; i = Math.max(i + 1, end)) {
      one = at(i, unparted.get(text[i].toLowerCase()));
      if (one) yield one;
    }
  }
}

function isWordAt(text, index) {
  WORD.lastIndex = index;
  return WORD.test(text);
}

/** Return what tells where a term ends that begins at a place; null where another text stands. */
function comparison(text) {
  const expressions = new Map();
  return (term, start) => {
    if (!term.includes(" ")) {
      const end = start + term.length;
      return text.slice(start, end).toLowerCase() === term ? end : null;
    }
    // Any blanks may part its words.
    const words = term.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(" ", "\\s+");
    if (!expressions.has(term)) expressions.set(term, new RegExp(words, "iuy"));
    const expression = expressions.get(term);
    expression.lastIndex = start;
    return expression.test(text) ? expression.lastIndex : null;
  };
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
