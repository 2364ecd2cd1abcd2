// The documents by score, with the cut between them.

import { TYPES, download, get, put, remove } from "./api.js";
import {
  button,
  date,
  el,
  field,
  hideProblem,
  moreButton,
  number,
  score,
  select,
  share,
} from "./dom.js";
import { markedText } from "./marked_text.js";
import { CELL_LENGTH, CUT, SIGNS, forSpreadsheet } from "./spreadsheet.js";
import { rankNew } from "./training.js";

const LABELS = [
  ["unlabeled", "not judged yet"],
  ["positive", "positive"],
  ["negative", "negative"],
  ["unsure", "unsure"],
  ["", "all"],
];
const JUDGEMENTS = ["positive", "negative", "unsure", "unlabeled"];
// Spreadsheets of countries with a decimal comma expect semicolons.
const USUAL = new Intl.NumberFormat().format(1.5).includes(",") ? "semicolon" : "comma";
const PAGE_SIZE = 50;
// Rows shown above the cut where one jumps to it.
const ABOVE_CUT = 5;
// All of them are on one page, the last one too.
const AT_THE_END = 20;

export async function showRanking(context) {
  const ranking = el("div");
  const { is_current, updated_at, n_documents } = context.model.ranking;
  const label = select("label", LABELS, "unlabeled");
  const start = el("input", { type: "number", min: 1, max: n_documents, value: 1 });
  const delimiter = select("delimiter", Object.keys(SIGNS).map((one) => [one, one]), USUAL);
  const told = el("p", { role: "status" });
  const saveCsv = async (predicted) => {
    told.replaceChildren();
    const part = { label: label.value, predicted };
    const nCut = await saveTable(context, part, delimiter.value);
    if (!nCut) return;
    const saveWhole = () => save(context, part, "ndjson");
    told.append(cutNote(nCut), button("Download them whole, as NDJSON", saveWhole));
  };
  let newest = 0;
  const fill = async () => {
    hideProblem();
    const mine = ++newest;
    const list = el("ol", { className: "ranking" });
    const more = el("div");
    const start_rank = start.validity.valid && start.value > 1 ? start.value : null;
    await addPage(context, list, more, { label: label.value, start_rank, page_size: PAGE_SIZE });
    // Another one may have been chosen meanwhile.
    if (mine === newest) ranking.replaceChildren(list, more);
  };
  // The last `page_size` documents of a part are shown, and what follows them.
  const jump = async (part) => {
    const { documents } = await get(`models/${context.model.id}/ranking`, {
      label: label.value,
      order: "last",
      ...part,
    });
    start.value = documents.at(-1)?.rank ?? 1;
    await fill();
  };
  const { offset } = context.model;
  label.addEventListener("change", fill);
  start.addEventListener("change", () => start.reportValidity() && fill());
  await fill();
  return [
    el(
      "div",
      { className: "bar" },
      field("Show", label),
      field("from rank", start),
      button("to the cut", () => jump({ min_score: offset, page_size: ABOVE_CUT })),
      button("to the end", () => jump({ page_size: AT_THE_END })),
      button("Download as CSV", () => saveCsv(null)),
      button("Download as RIS", () => save(context, { label: label.value }, "ris")),
      button("Download what is accepted", () => saveCsv(true)),
      field("CSV parted by", delimiter),
      is_current ? "" : button("Rank what came in since", () => rankNew(context)),
      el("small", {}, `${number(n_documents)} documents, ranked ${date(updated_at)}`),
    ),
    told,
    ranking,
  ];
}

async function addPage(context, list, more, parameters) {
  const page = await get(`models/${context.model.id}/ranking`, parameters);
  for (const document_ of page.documents) {
    const before = list.lastElementChild?.dataset.score;
    const row = rankedDocument(context, document_);
    // What was judged negative is predicted so above the cut, too.
    if (Number(before) >= context.model.offset && document_.score < context.model.offset) {
      row.prepend(el("p", { className: "cut" }, "The cut: what follows is predicted negative"));
    }
    list.append(row);
  }
  if (!list.children.length) list.append(el("li", {}, "No document from here on has this label."));
  const next = page.next_page_token;
  const addNext = () => addPage(context, list, more, { ...parameters, page_token: next });
  more.replaceChildren(next ? moreButton("More", list, addNext) : "");
}

function rankedDocument(context, document_) {
  const { id, rank, score: value, probability, predicted, label, text } = document_;
  const judgement = labelChoice(context, id, label, `Label of rank ${rank}`);
  // Only what is opened is asked about.
  const opened = el("details", {}, el("summary", { dir: "auto" }, snippet(text)));
  const show = () =>
    opened.append(
      markedText(document_, context.model),
      deletion(context, id),
    );
  opened.addEventListener("toggle", show, { once: true });
  const made = el(
    "li",
    { value: rank },
    el("span", { className: "score" }, probability === null ? score(value) : share(probability)),
    opened,
    judgement,
  );
  made.dataset.predicted = predicted;
  made.dataset.score = value;
  return made;
}

/** Return a button that deletes a document, and takes its row out of the list. */
export function deletion(context, id) {
  const made = button(
    "Delete the document",
    async () => {
      if (!confirm("Delete the document? This cannot be undone.")) return;
      await remove(`projects/${context.project.id}/documents/${encodeURIComponent(id)}`);
      takeOut(made.closest("li"));
      await context.refresh();
    },
    { className: "danger" },
  );
  return made;
}

/** Take a row out of a list; the focus goes to the one that takes its place. */
function takeOut(row) {
  const { parentElement: list, nextElementSibling: next, previousElementSibling: previous } = row;
  const hadFocus = row.contains(document.activeElement);
  const cut = row.querySelector(".cut");
  row.remove();
  if (cut) next?.prepend(cut);
  if (!hadFocus) return;
  list.tabIndex = -1;
  ((next ?? previous)?.querySelector("summary, button") ?? list).focus();
}

/** Return a choice of a document's label, which is stored at once. */
export function labelChoice(context, id, label, name) {
  const choice = select(
    "judgement",
    JUDGEMENTS.map((one) => [one, one]),
    label,
  );
  choice.setAttribute("aria-label", name);
  choice.className = label;
  let stored = Promise.resolve();
  choice.addEventListener("change", async () => {
    hideProblem();
    const { value } = choice;
    const send = () => put(`projects/${context.project.id}/labels`, [{ id, label: value }]);
    try {
      // One after the other: keys that go through the labels must not overtake each other.
      await (stored = stored.then(send, send));
    } catch (error) {
      // What is shown is what is stored.
      choice.value = choice.className;
      throw error;
    }
    choice.className = value;
    await context.refresh();
  });
  return choice;
}

function snippet(text) {
  const line = text.slice(0, 300).replaceAll(/\s+/g, " ");
  return line.length > 160 ? `${line.slice(0, 160)}…` : line || "(empty)";
}

async function save({ model, project }, part, ending) {
  const content = await download(`models/${model.id}/ranking`, part, TYPES[ending]);
  hand(project, part, ending, content);
}

/** Save a CSV for spreadsheets, and return of how many rows a cell was cut. */
async function saveTable({ model, project }, part, delimiter) {
  const path = `models/${model.id}/ranking`;
  const csv = await download(path, { ...part, delimiter }, TYPES.csv);
  const { content, nCut } = await forSpreadsheet(csv, delimiter);
  // Excel takes a file for UTF-8 only by this mark.
  hand(project, part, "csv", "\ufeff", content);
  return nCut;
}

function hand(project, { predicted }, ending, ...contents) {
  const href = URL.createObjectURL(new Blob(contents));
  const what = predicted ? "accepted" : "ranking";
  el("a", { href, download: `${project.name} ${what}.${ending}` }).click();
  URL.revokeObjectURL(href);
}

function cutNote(nCut) {
  const cell = `the ${number(CELL_LENGTH)} characters that a cell of a spreadsheet holds`;
  return `Rows cut to ${cell}, with ${CUT} at the end: ${number(nCut)}. `;
}
