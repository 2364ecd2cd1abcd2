// Judge one document after the other, and see how many are left.

import { Problem, get, put } from "./api.js";
import { copiesToo, haveSameCopies, without, withCopies } from "./copies.js";
import { button, el, hideProblem, number, score, share, showAnew } from "./dom.js";
import { countJudged, habits, keysJudge, untilTrained } from "./habits.js";
import { howFar } from "./how_far.js";
import { markedText } from "./marked_text.js";
import { whenSeenAgain } from "./seen_again.js";
import { rankNew, start } from "./training.js";
import { inPage } from "./words.js";

const KEYS = { p: "positive", n: "negative", u: "unsure" };
const AT_ONCE = 20;

export async function showReview(context) {
  const review = new Review(context);
  await Promise.all([review.ask(), review.count()]);
  const { signal } = context;
  addEventListener("keydown", review, { signal });
  whenSeenAgain(() => review.lookAgain(), signal);
  const side = el("div", {}, review.progress, habits(context.project.id));
  return [review.told, el("div", { className: "review" }, review.card, side)];
}

class Review {
  constructor(context) {
    this.context = context;
    this.path = `projects/${context.project.id}`;
    this.progress = el("aside", { "aria-label": "How far the review is" });
    this.card = el("article", {
      className: "card",
      tabIndex: -1,
      "aria-label": "Document to judge",
    });
    // Who hears the page does not see that another document is shown.
    this.told = el("p", { className: "heard", role: "status" });
    this.waiting = [];
    this.judged = [];
    // Whether those that say nearly the same as a document get its label, too.
    this.isAlike = false;
  }

  handleEvent(event) {
    const key = event.key?.toLowerCase();
    if (!keysJudge() || !this.card.isConnected) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
    if (key in KEYS) this.judge(KEYS[key]);
    else if (key === "z") this.undo();
  }

  nextOnes() {
    const asked = { n: AT_ONCE, model_id: this.context.model.id, copies: true };
    return get(`${this.path}/next`, asked);
  }

  /** Ask for the next documents and show the first. */
  async ask() {
    try {
      await this.context.goOn();
      this.next = await this.nextOnes();
    } catch (error) {
      this.beginAgain();
      throw error;
    }
    this.waiting = this.next.documents;
    this.show();
  }

  /** Leave out what others judged meanwhile; what is read goes on to be shown if they did not. */
  async lookAgain() {
    if (!this.card.isConnected) return;
    const before = this.judged.length;
    const [next] = await Promise.all([this.nextOnes(), this.countAgain()]);
    if (this.isBusy || this.judged.length !== before) return;
    const [shown] = this.waiting;
    const open = next.documents.find(({ id }) => id === shown?.id);
    const others = next.documents.filter((one) => one !== open);
    const told = this.advice().join();
    this.next = next;
    this.waiting = open ? [open, ...others] : others;
    // To show it anew would lose the place in a long text.
    if (!open || !haveSameCopies(open, shown) || this.advice().join() !== told) this.show();
  }

  /** Offer to load all anew: the model or a document is not there any more, or the service is not. */
  beginAgain() {
    this.card.replaceChildren(button("Try again", showAnew));
  }

  async count() {
    this.progress.replaceChildren(...howFar(await get(`${this.path}/review`)));
  }

  /** Count what was judged by now; what is judged meanwhile is counted after that, at once. */
  async countAgain() {
    this.isOutdated = true;
    if (this.isCounting) return;
    this.isCounting = true;
    try {
      while (this.isOutdated) {
        this.isOutdated = false;
        await Promise.all([this.context.refresh(), this.count()]);
      }
    } finally {
      this.isCounting = false;
    }
  }

  show() {
    const [document_] = this.waiting;
    const hadFocus = this.card.contains(document.activeElement);
    this.card.replaceChildren(
      ...this.advice().map((text) => el("p", { className: "caution" }, text)),
      this.next.labels_changed && !this.context.followed
        ? el("p", {}, button("Train with them", () => this.train()))
        : "",
      this.next.n_unranked
        ? el("p", {}, button("Rank what came in since", () => rankNew(this.context)))
        : "",
      el("div", { className: "bar" }, document_ ? place(document_) : "", ...this.lastOne()),
      ...(document_
        ? this.question(document_)
        : [el("p", {}, inPage(this.next.reason ?? "Nothing is left to judge."))]),
    );
    // Else the button that was pressed takes it along.
    if (hadFocus) this.card.focus({ preventScroll: true });
    // What was read before may have been long, or this is longer than what the window has left.
    const { top } = this.card.getBoundingClientRect();
    if (top < 0 || (this.judged.length && this.isHidden())) this.card.scrollIntoView();
    if (this.waiting.length === 1) this.askAhead(document_);
  }

  /** Tell whether the answers stand before the end of the text. */
  isHidden() {
    const [text, answers] = [".text", ".answers"].map((one) => this.card.querySelector(one));
    if (!answers) return false;
    return text.getBoundingClientRect().bottom > answers.getBoundingClientRect().top;
  }

  /** Ask for those behind the last one while that is read, so that nobody waits for them. */
  async askAhead(last) {
    const next = await this.nextOnes().catch(() => null); // whoever comes to them is told
    // It may have been judged meanwhile, and others asked for.
    if (next === null || this.waiting.length !== 1 || this.waiting[0] !== last) return;
    this.next = next;
    this.waiting.push(...next.documents.filter(({ id }) => id !== last.id));
  }

  /** Return what was said of the last document, and what takes that back. */
  lastOne() {
    if (!this.judged.length) return [];
    const { label, judgedToo } = this.judged.at(-1);
    return [
      el(
        "small",
        {},
        "The last one: ",
        el("span", { className: label }, label),
        withCopies(judgedToo),
      ),
      button("Back to it (Z)", () => this.undo()),
    ];
  }

  tell([{ rank }, ...others], label) {
    const [next] = this.waiting;
    const what = next ? `Rank ${number(next.rank)} is shown.` : "Nothing is left to judge.";
    this.told.textContent = `Rank ${number(rank)} is ${label}${withCopies(others)}. ${what}`;
  }

  async train() {
    await start(this.context, {});
    this.show();
  }

  /** Have a model trained beside the reading: what is read stays until it is judged. */
  async trainBeside() {
    await start(this.context, {});
    this.context.wentOn = true;
  }

  advice() {
    const { labels_changed: changed, n_unranked: unranked } = this.next;
    const { doctor } = this.context.model;
    return [
      doctor.some(({ reason }) => reason === "mostly_positive")
        ? "Most of the pile is of the kind. If you look for what does not belong, read the end of the ranking: what stands here is not for that."
        : null,
      changed ? this.unknownYet() : null,
      unranked
        ? `Documents that came in since the ranking was made (${number(unranked)}) are not in it, so you are not asked about them. Have them ranked, or train again.`
        : null,
    ].filter(Boolean);
  }

  /** Return after how many more judgements a model is trained by itself; null where none is. */
  untilTrained() {
    const { project, followed } = this.context;
    return followed ? null : untilTrained(project.id);
  }

  unknownYet() {
    const { started, followed } = this.context;
    if (started && followed === started) {
      return "A model is being trained on the last judgements. Read on: once it is there, what comes next is by it.";
    }
    const left = this.untilTrained();
    const next =
      left === null
        ? "Train again now and then, so that it learns from them."
        : `It is trained again after ${number(Math.max(1, left))} more.`;
    return `The model does not know the last examples or judgements. ${next}`;
  }

  question(document_) {
    return [
      markedText(document_, this.context.model),
      copiesToo(document_, this.isAlike, (isAlike) => {
        this.isAlike = isAlike;
      }),
      el(
        "div",
        { className: "answers" },
        Object.entries(KEYS).map(([key, label]) =>
          button(`${label} (${key.toUpperCase()})`, () => this.judge(label), { className: label }),
        ),
      ),
    ];
  }

  /** Show the next document, and tell what was said of the last one. */
  async goOn(documents, label) {
    // A new model is gone on by between two documents: nobody's key is meant for another one.
    const isNew = this.context.newModelId && label !== "unlabeled";
    if (this.waiting.length && !isNew) this.show();
    else await this.ask();
    this.tell(documents, label);
  }

  judge(label) {
    const [document_] = this.waiting;
    const judgedToo = this.isAlike && document_ ? document_.copies : [];
    return this.send([document_, ...judgedToo], label, () => {
      this.judged.push({ ...this.waiting.shift(), label, judgedToo });
      countJudged(this.context.project.id, 1);
      // Those that were taken back wait as documents of their own.
      this.waiting = without(this.waiting, judgedToo);
    });
  }

  undo() {
    const last = this.judged.at(-1);
    return this.send(
      [last],
      "unlabeled",
      () => {
        this.waiting.unshift(this.judged.pop());
        countJudged(this.context.project.id, -1);
      },
      () => this.own(last),
    );
  }

  /** Return a document and what was judged with it, but for what somebody else said meanwhile. */
  async own(last) {
    const { label, copies, judgedToo } = last;
    const [now, ...others] = await Promise.all(
      [last, ...judgedToo].map(({ id }) => get(`${this.path}/documents/${encodeURIComponent(id)}`)),
    );
    if (now.label !== label) {
      this.judged.pop();
      this.show();
      throw new Problem(0, {
        detail: `Somebody labeled that document ${now.label} meanwhile, so nothing was taken back.`,
      });
    }
    const kept = others.filter((other) => other.label !== label);
    last.copies = without(copies, kept);
    return [last, ...without(judgedToo, kept)];
  }

  /** Send a label, then show the next document; keys that come faster than that are left out. */
  async send(documents, label, then, check) {
    if (!documents[0] || this.isBusy) return;
    this.isBusy = true;
    hideProblem();
    try {
      if (check) documents = await check();
      await put(
        `${this.path}/labels`,
        documents.map(({ id }) => ({ id, label })),
      );
      this.context.wentOn = true;
      then();
      // Keys need not wait for the figures.
      this.countAgain();
      try {
        if (this.untilTrained() === 0 && label !== "unlabeled") await this.trainBeside();
      } finally {
        await this.goOn(documents, label);
      }
    } catch (error) {
      if (error.code === "document_not_found") this.beginAgain();
      throw error;
    } finally {
      this.isBusy = false;
    }
  }
}

function place({ rank, score: value, probability, chosen_for }) {
  const certainty =
    probability === null ? `score ${score(value)}` : `probability ${share(probability)}`;
  const reason = chosen_for === "uncertainty" ? ", asked because the model is unsure" : "";
  return el("small", {}, `Rank ${number(rank)}, ${certainty}${reason}`);
}
