// Start a training, and follow the job that is at work.

import { Problem, follow, get, post } from "./api.js";
import { button, details, duration, el, field, form, select, share } from "./dom.js";
import { countAnew } from "./habits.js";
import { whenSeenAgain } from "./seen_again.js";

const STAGES = {
  "": "Waiting for a worker",
  vectorise: "Counting words",
  alike: "Finding documents that are alike",
  race: "Choosing the algorithm",
  weight: "Weighting words",
  fit: "Training",
  hide: "Hiding positives from the algorithm",
  calibrate: "Estimating probabilities and cut",
  rank: "Ranking",
  examine: "Looking for reasons not to trust the result",
  save: "Saving",
};
// A job that no worker takes is told of after so many milliseconds; a busy one takes longer.
const QUEUED = 30_000;
const NOT_TAKEN =
  "Still waiting: the workers are busy with other jobs, or none is running (seedbed worker).";
const CUTS = ["own", "prior", "lee_liu", "conductance", "mixture", "f1"];

/** Return what starts trainings of a project and shows how far the job is that is at work. */
export async function trainingPanel(context) {
  const panel = el("div", { className: "training", tabIndex: -1 });
  const look = async () => {
    const id = await atWork(context, ({ kind }) => ["train", "ranking"].includes(kind));
    // It may have been started here meanwhile.
    if (id && !context.followed) context.follow(id);
    return id;
  };
  context.follow = (jobId) => context.followed === jobId || watch(panel, context, jobId);
  if (!(await look())) offer(panel, context);
  whenSeenAgain(() => panel.isConnected && look(), context.signal);
  return panel;
}

/** Return the id of such a job that is not at its end, the one asked for last. */
async function atWork({ project }, isSuch) {
  const found = [];
  // In this order none is missed that a worker takes meanwhile.
  for (const status of ["queued", "running"]) {
    const { jobs } = await get("jobs", { project_id: project.id, status, page_size: 20 });
    found.push(...jobs.filter(isSuch));
  }
  const [last] = found.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  return last?.id;
}

function offer(panel, context) {
  // What was begun to be chosen stays while a training is followed that was started elsewhere.
  context.offered ??= offered(context);
  fill(panel, context.offered);
}

/** Show something else in the panel; the focus stays there. */
function fill(panel, children) {
  const hadFocus = panel.contains(document.activeElement);
  panel.replaceChildren(...children);
  // Else the button that was pressed takes it along.
  if (hadFocus) panel.focus({ preventScroll: true });
}

function offered(context) {
  const train = (body) => start(context, body);
  return [
    button(context.model ? "Train again" : "Train", () => train({}), { className: "primary" }),
    details("Choose the algorithm", choices(train)),
  ];
}

function choices(train) {
  const algorithm = select("algorithm", [["auto", "auto: let several race"]], "auto");
  const assumption = el("small", { role: "status" });
  const made = form(
    ({ algorithm, cut, budget, class_prior }) =>
      train({
        algorithm,
        ...((budget || cut) && { cut: budget ? `budget:${budget}` : cut }),
        ...(class_prior && { class_prior: Number(class_prior) / 100 }),
      }),
    field("Algorithm", algorithm),
    assumption,
    field("Cut", select("cut", [["", "default"], ...CUTS.map((rule) => [rule, rule])], "")),
    field(
      "Documents to accept",
      el("input", { name: "budget", type: "number", min: 1 }),
      "In place of that cut, if you know how many you can read.",
    ),
    field(
      "Share of positives in the pile, %",
      el("input", { name: "class_prior", type: "number", min: 0, max: 100, step: "any" }),
      "Only if you know it.",
    ),
    el("button", { type: "submit" }, "Train so"),
  );
  get("algorithms").then(({ algorithms }) => {
    algorithm.append(
      ...algorithms.map(({ name, summary }) =>
        el("option", { value: name }, `${name}: ${summary}`),
      ),
    );
    algorithm.addEventListener("change", () => {
      const chosen = algorithms.find(({ name }) => name === algorithm.value);
      assumption.textContent = chosen ? `Assumes: ${chosen.assumption}` : "";
    });
  });
  return made;
}

/** Start a training, and follow it. */
export async function start(context, body) {
  // Also where it fails: the next judgement need not fail, too.
  countAnew(context.project.id);
  // Others may have added some.
  await context.refresh();
  const { positive, unlabeled, negative } = context.project.counts;
  if (!positive || !(unlabeled || negative)) {
    throw new Problem(0, {
      detail: "A training needs examples and the pile. Add them under Documents.",
    });
  }
  const job = await post("train", { project_id: context.project.id, ...body });
  context.offered = null;
  context.started = job.id;
  context.follow(job.id);
}

async function watch(panel, context, jobId) {
  context.followed = jobId;
  context.wentOn = false;
  const bar = el("progress", { max: 1, "aria-label": "Progress of the job" });
  // The stage alone is read out: shares come every second.
  const stageWords = el("span", { role: "status" }, STAGES[""]);
  const rest = el("span");
  const say = (told, more = "") => {
    if (stageWords.textContent !== told) stageWords.textContent = told;
    rest.textContent = more;
  };
  const cancel = button("Cancel", () => post(`jobs/${jobId}/cancel`));
  fill(panel, [bar, el("span", {}, stageWords, rest), cancel]);
  let queued;
  const tell = ({ status, stage, progress, pace }) => {
    clearTimeout(queued);
    if (status === "queued") queued = setTimeout(() => say(NOT_TAKEN), QUEUED);
    bar.value = progress;
    const left = pace?.seconds_left ? `, about ${duration(pace.seconds_left)} left` : "";
    const name = status === "queued" ? STAGES[""] : (STAGES[stage] ?? stage);
    say(name, `: ${share(progress)}${left}`);
  };
  let job;
  try {
    job = await follow(jobId, tell, context.signal, () => {
      clearTimeout(queued);
      say("The service does not answer. The job goes on when it is back.");
    });
  } finally {
    clearTimeout(queued);
    // Another one may be followed by now.
    if (context.followed === jobId) context.followed = null;
  }
  // The page may show something else by now.
  if (!panel.isConnected) return;
  if (!context.followed) offer(panel, context);
  if (job.status === "succeeded") context.jobEnded(job);
  else if (job.error) throw new Problem(0, { detail: job.error.message });
}

/** Have what came in since the training ranked. */
export async function rankNew(context) {
  // Asked for again, it follows the job that there is: no second one queues up behind that.
  const { id } = context.model;
  const isThis = ({ kind, spec }) => kind === "ranking" && spec.model_id === id;
  context.follow((await atWork(context, isThis)) ?? (await post(`models/${id}/ranking`)).id);
}
