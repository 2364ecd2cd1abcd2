// Judge one document after the other, and see how many are left.

import { get, getIfAny, put } from "./api.js";
import { button, details, el, figure, number, score, share } from "./dom.js";
import { markedText } from "./marked_text.js";

const KEYS = { p: "positive", n: "negative", u: "unsure" };
const AT_ONCE = 20;

export async function showReview(context) {
  const review = new Review(context);
  await review.ask();
  addEventListener("keydown", review);
  return [el("div", { className: "review" }, review.card, review.progress)];
}

class Review {
  constructor(context) {
    this.context = context;
    this.path = `projects/${context.project.id}`;
    this.progress = el("aside", { "aria-label": "How far the review is" });
    this.card = el("article", { className: "card" });
    this.waiting = [];
    this.judged = [];
  }

  handleEvent(event) {
    if (!this.card.isConnected) removeEventListener("keydown", this);
    else if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    else if (event.target.matches("input, select, textarea")) return;
    else if (event.key in KEYS) this.judge(KEYS[event.key]);
    else if (event.key === "z") this.undo();
  }

  /** Ask for the next documents and show the first. */
  async ask() {
    const parameters = { n: AT_ONCE, model_id: this.context.model.id };
    const [next] = await Promise.all([getIfAny(`${this.path}/next`, parameters), this.count()]);
    this.waiting = next?.documents ?? [];
    this.next = next;
    this.show();
  }

  async count() {
    const review = await get(`${this.path}/review`);
    this.progress.replaceChildren(...figures(review));
  }

  show() {
    const [document_] = this.waiting;
    this.card.replaceChildren(
      ...this.advice().map((text) => el("p", { className: "caution" }, text)),
      ...(document_ ? this.question(document_) : [el("p", {}, this.next?.reason ?? "Nothing is left to judge.")]),
      this.judged.length ? button("Back to the last one (Z)", () => this.undo(), { className: "undo" }) : "",
    );
  }

  advice() {
    const { labels_changed: changed, n_unranked: unranked } = this.next ?? {};
    return [
      changed ? "The model does not know your last judgements. Train again now and then, so that it learns from them." : null,
      unranked ? `${number(unranked)} documents came in after the training. Train again to have them ranked.` : null,
    ].filter(Boolean);
  }

  question(document_) {
    const { rank, score: value, probability, chosen_for } = document_;
    const certainty = probability === null ? `score ${score(value)}` : `probability ${share(probability)}`;
    const reason = chosen_for === "uncertainty" ? ", asked because the model is unsure" : "";
    return [
      el("small", {}, `Rank ${number(rank)}, ${certainty}${reason}`),
      markedText(document_, this.context.model),
      el(
        "div",
        { className: "answers" },
        Object.entries(KEYS).map(([key, label]) =>
          button(`${label} (${key.toUpperCase()})`, () => this.judge(label), { className: label }),
        ),
      ),
    ];
  }

  async judge(label) {
    const [document_] = this.waiting;
    if (!document_ || this.isSending) return;
    await this.send(document_.id, label);
    this.judged.push(this.waiting.shift());
    await this.goOn();
  }

  async undo() {
    const document_ = this.judged.at(-1);
    if (!document_ || this.isSending) return;
    await this.send(document_.id, "unlabeled");
    this.waiting.unshift(this.judged.pop());
    await this.goOn();
  }

  async send(id, label) {
    // Keys may come faster than answers: each document has one judgement.
    this.isSending = true;
    try {
      await put(`${this.path}/labels`, [{ id, label }]);
    } finally {
      this.isSending = false;
    }
  }

  async goOn() {
    if (this.waiting.length) this.show();
    await Promise.all([this.context.refresh(), this.waiting.length ? this.count() : this.ask()]);
  }
}

function figures(review) {
  const { n_judged, n_found, n_seeds, n_left, remaining, recall, by_seeds, suggestion, why, assumption } = review;
  const estimates = n_judged
    ? [["probably left", figure(remaining, number)], ["found of all", figure(recall, share)]]
    : [["expected in the pile", figure(by_seeds, number)]];
  const rows = [
    ["examples given", number(n_seeds)],
    ["judged", number(n_judged)],
    ["found", number(n_found)],
    ["not judged", number(n_left)],
    ...estimates,
  ];
  return [
    el("dl", {}, rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    recall.value === null ? "" : el("progress", { max: 1, value: recall.value, "aria-label": "Found of all" }),
    n_judged ? el("p", { className: suggestion === "stop" ? "fine" : "" }, why) : "",
    details("What the estimates assume", el("p", {}, assumption)),
  ];
}
