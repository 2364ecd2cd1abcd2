// What a model expects of itself, what it goes by, and how it was chosen.

import { get, getIfAny, put, remove } from "./api.js";
import { button, details, el, figure, figures, number, score, share, showAnew, table } from "./dom.js";
import { nameOf } from "./model_choice.js";
import { modelWords } from "./model_words.js";
import { labelChoice } from "./ranking.js";
import { inPage, reasonInWords, whyNoCut } from "./words.js";

const N_TERMS = 30;

export async function showModel(context) {
  const { project, model } = context;
  // What the card has is shown, and the model can be deleted, though its files are lost.
  const lost = [];
  const unlessLost = (error) => {
    if (error.code !== "artifact_unavailable") throw error;
    lost.push(el("p", { className: "warning" }, error.message));
    return null;
  };
  const [cuts, terms] = await Promise.all([
    get(`models/${model.id}/cuts`).catch(unlessLost),
    getIfAny(`models/${model.id}/terms`, { n_terms: N_TERMS }).catch(unlessLost),
  ]);
  return [
    ...lost,
    ...(cuts ? expected(cuts, model.calibration) : []),
    ...findings(context),
    terms && modelWords(context, terms),
    cuts && details("Other cuts", cutTable(cuts)),
    model.race ? details("The race", el("p", {}, model.choice), raceTable(model.race)) : null,
    details("The model's card", el("pre", {}, JSON.stringify(model, null, 2))),
    el(
      "div",
      { className: "bar" },
      el("a", { href: `models/${model.id}/file`, download: "" }, "Download the model"),
      champion(project, model),
      deletion(context),
    ),
  ].filter(Boolean);
}

function expected({ cuts, used, n_unlabeled }, { reason }) {
  const cut = cuts.find(({ rule }) => rule === used);
  if (!cut) return [];
  const { n_accepted, precision, recall, n_hidden } = cut;
  return [
    el(
      "p",
      {},
      `Of ${number(n_unlabeled)} documents, unlabeled or unsure when it was trained, it takes ${number(n_accepted)} for positive.`,
    ),
    figures([
      ["precision to expect", figure(precision, share)],
      ["recall to expect", figure(recall, share)],
      ["positives in the pile", figure(n_hidden, number), n_hidden && "by its probabilities"],
    ]),
    reason ? el("p", {}, `There is nothing to expect: ${reasonInWords(reason)}.`) : null,
  ];
}

function findings(context) {
  const { doctor, warnings } = context.model;
  const isBad = ({ level }) => level !== null && level !== "fine";
  const bad = doctor.filter(isBad);
  const others = doctor.filter((finding) => !isBad(finding));
  // The doctor's are among them.
  const told = new Set(doctor.map(({ message }) => message));
  const more = warnings.filter((warning) => !told.has(warning));
  return [
    bad.length || more.length ? el("h2", {}, "Reasons for care") : null,
    ...more.map((warning) => el("p", { className: "warning" }, inPage(warning))),
    ...bad.flatMap(({ message, level, documents, numbers }) => [
      el("p", { className: level }, inPage(message)),
      documents.length ? listed(context, documents, numbers.n_found) : null,
    ]),
    others.length
      ? details(
          `${number(others.length)} other checks`,
          el(
            "ul",
            {},
            others.map(({ message }) => el("li", {}, inPage(message))),
          ),
        )
      : null,
  ].filter(Boolean);
}

/** Return the documents of a finding, to be read and labeled; only what is opened is asked about. */
function listed(context, ids, found) {
  const list = el("ul", { className: "documents" });
  const show = async () => {
    const path = `projects/${context.project.id}/documents`;
    const documents = await Promise.all(
      ids.map((id) => getIfAny(`${path}/${encodeURIComponent(id)}`)),
    );
    list.replaceChildren(
      ...documents
        .filter(Boolean)
        .map((document_) =>
          el(
            "li",
            {},
            el("div", { className: "text", dir: "auto" }, document_.text),
            labelChoice(context, document_.id, document_.label, `Label of ${document_.id}`),
          ),
        ),
    );
  };
  const made = details(howMany(ids.length, found), list);
  made.addEventListener("toggle", () => made.open && !list.children.length && show());
  return made;
}

function howMany(listed, found) {
  if (found > listed) return `The first ${number(listed)} of ${number(found)} documents`;
  return listed === 1 ? "The document" : `The ${number(listed)} documents`;
}

function cutTable({ cuts, used }) {
  return table(
    ["Rule", "Accepts", "Precision", "Recall", "F1"],
    cuts.map(({ rule, n_accepted, precision, recall, f1, reason }) => [
      rule === used ? `${rule} (used)` : rule,
      n_accepted === null ? whyNoCut(reason) : number(n_accepted),
      ...[precision, recall, f1].map((one) => figure(one, share)),
    ]),
  );
}

function raceTable(race) {
  return table(
    ["Algorithm", "Place of hidden positives", "Found", "Seconds", "MiB"],
    race.map(({ algorithm, is_winner, is_baseline, place, recall, seconds, memory_mb, reason }) => [
      algorithm + (is_winner ? " (won)" : is_baseline ? " (baseline)" : ""),
      place === null ? reasonInWords(reason) : `first ${share(place)}`,
      recall === null ? null : share(recall),
      score(seconds),
      memory_mb === null ? null : number(memory_mb),
    ]),
  );
}

function champion(project, { id, is_champion }) {
  if (is_champion) return el("span", {}, "This model answers predictions for the project.");
  return button("Let it answer for the project", async () => {
    await put(`projects/${project.id}/champion`, { model_id: id });
    showAnew();
  });
}

function deletion({ model, models }) {
  const lost = model.is_champion
    ? " It answers predictions for the project: none will until you choose another, or train."
    : "";
  const question = `Delete the model “${nameOf(model, models)}” with its ranking?${lost} Documents and labels stay. This cannot be undone.`;
  return button(
    "Delete the model",
    async () => {
      if (!confirm(question)) return;
      await remove(`models/${model.id}`);
      showAnew();
    },
    { className: "danger" },
  );
}
