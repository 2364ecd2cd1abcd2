// Bring in examples and the pile.

import { EXTENSIONS, follow, get, post, upload } from "./api.js";
import { button, details, duration, el, field, form, number, share, table } from "./dom.js";
import { FileColumns, names, recoded } from "./file_columns.js";
import { whenSeenAgain } from "./seen_again.js";
import { inPage } from "./words.js";

// Of rows that are refused for one reason.
const SHOWN_PLACES = 5;
const SIDES = [
  [
    "positives",
    "Examples",
    "Documents of the kind you look for. A handful is enough to begin with.",
  ],
  [
    "unlabeled",
    "The pile",
    "All other documents. Some of them are of the kind; nobody knows which.",
  ],
];

/** Return what takes in documents, and how far uploads are that are at work. */
export async function intake(context) {
  const uploads = el("div");
  const shown = new Set();
  const look = async () => {
    const { jobs } = await get("jobs", {
      project_id: context.project.id,
      kind: "upload",
      status: "running",
      page_size: 2, // following each takes one of the few connections of a browser
    });
    // What this page sends has a bar of its own.
    for (const job of context.sending ? [] : jobs.filter(({ id }) => !shown.has(id))) {
      shown.add(job.id);
      uploads.append(uploadAtWork(context, job));
    }
  };
  await look();
  whenSeenAgain(() => uploads.isConnected && look(), context.signal);
  return [
    uploads,
    el(
      "div",
      { className: "columns" },
      SIDES.map((one) => side(context, ...one)),
    ),
  ];
}

/** Return how far an upload is that was begun before, here or elsewhere. */
function uploadAtWork(context, { id }) {
  const bar = el("progress", { max: 1, "aria-label": "Progress of an upload" });
  const words = el("span");
  const cancel = button("Cancel", () => post(`jobs/${id}/cancel`));
  const atWork = el("div", { className: "training" }, bar, words, cancel);
  // There before: what comes with its own region is not read out.
  const outcome = el("div", { role: "status" });
  const tell = ({ progress, pace }) => {
    bar.value = progress;
    const left = pace?.seconds_left ? `, about ${duration(pace.seconds_left)} left` : "";
    words.textContent = `An upload is at work${left}`;
  };
  // One that was cancelled while its process was gone has neither.
  const end = ({ result, error }) => {
    const hadFocus = atWork.contains(document.activeElement);
    const heading = el("h2", { tabIndex: -1 }, "An upload ended");
    atWork.remove();
    outcome.append(
      heading,
      error ? el("p", { className: "warning" }, inPage(error.message)) : "",
      ...(result ? reportOf(result) : []),
    );
    // Else the button takes it along.
    if (hadFocus) heading.focus();
  };
  follow(id, tell, context.signal)
    .then(end, () => atWork.remove())
    .then(() => context.refresh());
  return el("div", {}, atWork, outcome);
}

function side(context, kind, title, hint) {
  const path = `projects/${context.project.id}/${kind}`;
  const outcome = el("div", { role: "status" });
  // Of several files each is named.
  const show = (report, name) => {
    if (name) outcome.append(el("h3", {}, name), ...reportOf(report));
    else outcome.replaceChildren(...reportOf(report));
    // Not waited for: the next file may be sent.
    context.refresh();
  };
  return el(
    "article",
    {},
    el("h2", {}, title),
    el("p", {}, hint),
    fileForm(context, path, outcome, show),
    details("Type or paste them", pasteForm(path, show)),
    kind === "positives" ? wordsForm(path, show) : null,
    outcome,
  );
}

function wordsForm(path, show) {
  return form(
    async ({ words }, made) => {
      show(await post(path, { documents: [words.trim()] }));
      made.reset();
    },
    field(
      "In your own words",
      el("input", {
        name: "words",
        required: true,
        pattern: ".*\\S.*",
        placeholder: "crude oil, oil prices",
      }),
      "Name what you look for. These words are an example, too, often as good as a whole document.",
    ),
    el("button", { type: "submit" }, "Add these words"),
  );
}

function fileForm(context, path, outcome, show) {
  const bar = el("progress", { max: 1, "aria-label": "Progress of the upload" });
  const words = el("span");
  const progress = (sent) => {
    bar.value = sent;
    words.textContent = sent < 1 ? `${share(sent)} sent` : "Storing";
  };
  const sending = el("div", { className: "training" });
  const send = el("button", { type: "submit" }, "Upload");
  const file = el("input", {
    type: "file",
    name: "file",
    required: true,
    multiple: true,
    accept: EXTENSIONS.join(","),
  });
  const columns = new FileColumns(path, file);
  return form(
    async (_values, made) => {
      await columns.isSet;
      const { values } = columns;
      const { encoding, text_column, ...others } = values;
      const parameters = { ...others, text_column: names(text_column) };
      const files = [...file.files];
      const cancelled = new AbortController();
      const cancel = button("Cancel", () => cancelled.abort());
      outcome.replaceChildren();
      sending.replaceChildren(bar, words, cancel);
      context.sending += 1;
      let name;
      let refused = 0;
      try {
        for (const file of files) {
          name = files.length > 1 ? file.name : "";
          const sent = encoding ? await recoded(file, encoding) : file;
          const report = await upload(path, sent, parameters, progress, cancelled.signal);
          refused += report.rejected;
          show(report, name);
        }
        columns.keep(files, values);
        // What was refused may be sent again, in another encoding.
        if (!refused) {
          made.reset();
          await columns.set();
        }
      } catch (error) {
        if (name) error.message = `${name}: ${error.message}`;
        if (error.status === 422) columns.refuse();
        // What came before the fault is kept.
        if (error.report?.received) show(error.report, name);
        else countUntilStill(context).catch(() => {});
        throw error;
      } finally {
        context.sending -= 1;
        if (document.activeElement === cancel) send.focus();
        sending.replaceChildren();
      }
    },
    field(
      "File",
      file,
      "One or several: CSV, Excel (.xlsx), NDJSON, JSON, Parquet, references (.ris, .nbib) or one document a line; also packed (.gz, .zst).",
    ),
    columns.element,
    send,
    sending,
  );
}

/** Count what is there until that does not change: the service goes on storing what reached it. */
async function countUntilStill(context) {
  const total = () => Object.values(context.project.counts).reduce((sum, count) => sum + count, 0);
  let before;
  do {
    before = total();
    await new Promise((done) => setTimeout(done, 1000));
    await context.refresh();
  } while (total() !== before);
}

function pasteForm(path, show) {
  return form(
    async ({ texts, whole }, made) => {
      const documents = whole ? [texts] : texts.split("\n").filter((line) => line.trim());
      show(await post(path, { documents }));
      made.reset();
    },
    field("One document a line", el("textarea", { name: "texts", rows: 6, required: true })),
    el(
      "label",
      { className: "inline" },
      el("input", { type: "checkbox", name: "whole" }),
      "All of it is one document",
    ),
    el("button", { type: "submit" }, "Add"),
  );
}

function reportOf({
  received,
  inserted,
  replaced,
  unchanged,
  relabeled,
  rejected,
  errors,
  warnings,
}) {
  const counts = {
    added: inserted,
    replaced,
    relabeled,
    "there already": unchanged,
    refused: rejected,
  };
  const parts = Object.entries(counts)
    .filter(([, count]) => count)
    .map(([what, count]) => `${number(count)} ${what}`);
  return [
    el("p", {}, `Received ${number(received)}${parts.length ? ": " : ""}${parts.join(", ")}.`),
    ...warnings.map((warning) => el("p", { className: "caution" }, inPage(warning))),
    errors.length < rejected ? el("p", {}, `The first ${number(errors.length)} refused:`) : null,
    errors.length ? table(["Lines or places", "Refused because"], reasons(errors)) : null,
  ].filter(Boolean);
}

/** Return each reason once, behind the places of its first rows. */
function reasons(errors) {
  return [...Map.groupBy(errors, ({ reason }) => reason)].map(([reason, rows]) => {
    const places = rows.slice(0, SHOWN_PLACES).map(({ line, index }) => line ?? index + 1);
    const others = rows.length - places.length;
    return [places.join(", ") + (others ? ` and ${number(others)} more` : ""), inPage(reason)];
  });
}
