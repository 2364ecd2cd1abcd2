// One project: how far it is, its training, and one of its tabs.

import { Problem, get, getIfAny } from "./api.js";
import { button, el, number, showAnew, showProblem } from "./dom.js";
import { showDocuments } from "./documents.js";
import { showModel } from "./model.js";
import { modelChoice, nameOf } from "./model_choice.js";
import { showRanking } from "./ranking.js";
import { showReview } from "./review.js";
import { whenSeenAgain } from "./seen_again.js";
import { rankNew, trainingPanel } from "./training.js";
import { showTrial } from "./trial.js";

const TABS = {
  documents: ["Documents", showDocuments],
  review: ["Review", showReview],
  ranking: ["Ranking", showRanking],
  model: ["Model", showModel],
  trial: ["Try a text", showTrial],
};
// What ids are made of: in a path others, such as .., would ask for something else.
const ID = /^[\w-]{1,64}$/;
// The model that each project is looked at by, where it is not the newest.
const chosen = new Map();

/** Return the elements of a project with one of its tabs, shown until the signal says otherwise. */
export async function showProject(id, asked, signal) {
  if (!ID.test(id)) {
    throw new Problem(404, { detail: `No project has the id '${id}'. It may have been deleted.` });
  }
  const tab = Object.hasOwn(TABS, asked) ? asked : "documents";
  const [project, found] = await Promise.all([get(`projects/${id}`), newestModels(id)]);
  const { models } = found;
  const heading = el("h1", { dir: "auto" });
  const counts = el("p", { className: "counts" });
  const news = el("div", { "aria-live": "polite" });
  const content = el("section");
  let nAsked = 0;
  let newest = 0;
  const context = {
    project,
    signal,
    models,
    // The page of models that follows, if there is one.
    older: found.next_page_token,
    model: models.find((model) => model.id === chosen.get(id)) ?? models[0] ?? null,
    // Forms whose files are on their way.
    sending: 0,
    // Whether a document was judged while the job is followed.
    wentOn: false,
    // The training that was started here last, and its model if nobody has gone on by it.
    started: null,
    newModelId: null,
    /** Name and count again, after something changed. */
    async refresh() {
      const mine = ++nAsked;
      const found = await get(`projects/${id}`);
      // What was asked for later may have come before.
      if (mine < newest) return;
      newest = mine;
      context.project = found;
      write();
    },
    /** Show what came of a job, or tell of it where somebody has begun something. */
    jobEnded({ id: jobId, kind, result }) {
      if (jobId === context.started) context.newModelId = result.model_id;
      // A key that is meant for one document must not judge another.
      const isAtWork = context.sending || context.wentOn;
      if (isAtWork || [content, ...(context.offered ?? [])].some(isBegun)) tell(kind);
      else if (kind === "train") context.showNewModel();
      else showAnew();
    },
    /** Go on by the model that was trained meanwhile, if there is one, without showing all anew. */
    async goOn() {
      const { newModelId } = context;
      const model = newModelId && (await getIfAny(`models/${newModelId}`));
      context.newModelId = null;
      if (!model) return;
      models.unshift(model);
      chosen.delete(id);
      context.model = model;
      writeChoice();
      news.replaceChildren();
      told = null;
    },
    /** Show what a new model makes of the project. */
    showNewModel() {
      chosen.delete(id);
      const next = `#/${id}/${tab === "review" ? tab : "ranking"}`;
      if (location.hash === next) showAnew();
      else location.hash = next;
    },
  };
  const newsOf = {
    train: () => ["A new model was trained. ", button("Show it", context.showNewModel)],
    ranking: () => ["What came in was ranked. ", button("Show it", showAnew)],
    labels: () => ["Labels were changed meanwhile. ", button("Show them", showAnew)],
    deletion: () => [
      `The model “${nameOf(context.model, models)}” was deleted. `,
      button("Go on without it", showAnew),
    ],
  };
  const fill = async (model) => {
    try {
      const shown = model || tab === "documents" ? await show(context) : [noModel()];
      // Whoever goes through the models by keys may be at another one.
      if (context.model === model) content.replaceChildren(...shown);
    } catch (error) {
      if (context.model !== model || signal.aborted) return;
      const isLost = error.code === "artifact_unavailable";
      content.replaceChildren(
        isLost ? button("Rank anew", () => rankNew(context)) : button("Try again", showAnew),
      );
      if (!(error instanceof Problem)) throw error;
      showProblem(error);
    }
  };
  const choose = (model) => {
    chosen.set(id, model.id);
    context.model = model;
    context.newModelId = null;
    return fill(model);
  };
  const addOlder = async () => {
    const page = await modelPage(id, context.older);
    models.push(...page.models);
    context.older = page.next_page_token;
  };
  let told;
  const tell = (kind) => {
    // Written anew it would be read out again, and its button lose the focus.
    if (kind !== told) news.replaceChildren(...newsOf[kind]());
    told = kind;
  };
  const [part, show] = TABS[tab];
  const choice = el("div");
  const writeChoice = () => {
    // Documents are the same with any.
    const isChosen = models.length > 1 && show !== showDocuments;
    choice.replaceChildren(isChosen ? modelChoice(context, choose, addOlder) : "");
  };
  const write = () => {
    const { name } = context.project;
    document.title = `${name} – ${part} – Seedbed`;
    heading.textContent = name;
    writeCounts(counts, context.project.counts);
  };
  write();
  whenSeenAgain(async () => {
    if (!news.isConnected) return;
    const { model } = context;
    const before = labeled(context.project);
    const [found, shown] = await Promise.all([
      get("models", { project_id: id, page_size: 1 }),
      model && getIfAny(`models/${model.id}`),
      context.refresh(),
    ]);
    // A review leaves out by itself what others judged.
    const isOutdated = show === showRanking && labeled(context.project) !== before;
    const made = madeMeanwhile(models, found.models[0]) ?? (isOutdated ? "labels" : null);
    const kind = model && !shown ? "deletion" : made;
    if (kind) tell(kind);
  }, signal);
  writeChoice();
  // What cannot be shown leaves the other parts, and the other models, within reach.
  await fill(context.model);
  return [
    heading,
    counts,
    await trainingPanel(context),
    news,
    choice,
    el("nav", { "aria-label": "Parts of the project" }, tabLinks(id, tab)),
    content,
  ];
}

function modelPage(project_id, page_token) {
  return get("models", { project_id, page_token, page_size: 50 });
}

/** Return the newest models of a project, as many as lead to the one that is looked at. */
async function newestModels(id) {
  const found = await modelPage(id, null);
  const isMissing = () => chosen.has(id) && !found.models.some((one) => one.id === chosen.get(id));
  while (found.next_page_token && isMissing()) {
    const { models, next_page_token } = await modelPage(id, found.next_page_token);
    found.models.push(...models);
    found.next_page_token = next_page_token;
  }
  // It was deleted.
  if (isMissing()) chosen.delete(id);
  return found;
}

/** Return the kind of job whose result is not among the models that are known, if there is one. */
function madeMeanwhile(models, newest) {
  if (!newest) return null;
  const known = models.find(({ id }) => id === newest.id);
  if (!known) return "train";
  return known.ranking.updated_at === newest.ranking.updated_at ? null : "ranking";
}

/** Return how many documents have each label, to be compared. */
function labeled({ counts: { positive, negative, unsure } }) {
  return [positive, negative, unsure].join();
}

/** Tell whether a form has what the page did not put there. */
function isBegun(content) {
  const all = [...content.querySelectorAll("form :is(textarea, select, input:not([type=search]))")];
  return all.some(({ type, value, defaultValue, checked, defaultChecked, selectedOptions }) => {
    if (type === "select-one") return !selectedOptions[0].defaultSelected;
    return type === "checkbox" ? checked !== defaultChecked : value !== defaultValue;
  });
}

function writeCounts(element, counts) {
  const labels = ["positive", "unlabeled", "negative", "unsure"];
  const shown = labels.filter((label, i) => counts[label] || i < 2);
  element.replaceChildren(
    ...shown.map((label) => el("span", { className: label }, `${number(counts[label])} ${label}`)),
  );
}

function tabLinks(id, tab) {
  return Object.entries(TABS).map(([name, [label]]) =>
    el("a", { href: `#/${id}/${name}`, ...(name === tab && { "aria-current": "page" }) }, label),
  );
}

function noModel() {
  return el(
    "p",
    {},
    "No model is trained yet. Add examples and the pile under Documents, then train.",
  );
}
