// Pages of a hotel notice what others change while they are seen. A look costs half a read unit. What has changed is shown
// in its place; nothing is moved, and what is under the pointer, has the focus or is open waits until it is left.

const LOOKED_AFTER = "tr[data-row], [data-live], .cards > section"; // what a page shows anew
const BUSY = "[popover]:popover-open, details[open], [aria-busy]";
const TOKENS = /(name="csrfmiddlewaretoken" value=)"[^"]*"/g; // they differ in each answer
const JITTER = 0.15, MOST_DELAY = 600_000, IDLE = 3_600_000, LEFT = 300, AFTER_A_TAP = 1000, CLOCKS = 1000; // milliseconds
let seenPage = null; // its main element
let since = ""; // what the newest changes were at the last look
let failures = 0, nextLook = 0, catching = 0, sent = 0, lastInput = Date.now(), looking = false;
let drawn = new Map(); // what the server has drawn of each part, by its key
const unshown = new Map(); // what is to be shown of parts that are touched: an element, or null for a row that is gone

const partKey = (part) => part.dataset.row ?? part.dataset.live ?? part.getAttribute("aria-labelledby") ?? part.ariaLabel;
const textOf = (part) => part.outerHTML.replace(TOKENS, "$1");
const partsOf = (place) => new Map([...place.querySelectorAll(LOOKED_AFTER)].map((part) => [partKey(part), part]));
const isTouched = (part) => part.matches(":hover") || part.contains(document.activeElement) || part.querySelector(`${BUSY}, [aria-expanded="true"]`);
const isTappedHere = (row) => Boolean(row.querySelector("[data-outcome]")?.textContent.trim());
const stateOf = (row) => /initial-housekeeping=\w+/.exec(row.querySelector(".tap")?.innerHTML)?.[0];

function begin() {
  drawn = new Map([...partsOf(seenPage)].map(([key, part]) => [key, textOf(part)]));
  unshown.clear();
  offerRows(0);
}

function plan(delay = Math.min(seenPage.dataset.every * 1000 * 2 ** failures, MOST_DELAY) * (1 - JITTER * Math.random())) {
  clearTimeout(nextLook);
  nextLook = document.visibilityState === "visible" && Date.now() - lastInput < IDLE ? setTimeout(look, delay) : 0;
}

async function look() {
  if (looking) return;
  looking = true;
  try {
    const answer = await fetch(`${seenPage.dataset.fresh}?since=${since}`, { redirect: "manual" });
    if (answer.type === "opaqueredirect" || [403, 404].includes(answer.status)) {
      nextLook = Infinity; // logged out, or no longer theirs
      return;
    }
    if (!answer.ok) throw answer;
    if (answer.status === 200) {
      const now = await answer.json();
      const isNews = since || now.newest > seenPage.dataset.loaded * 1000 - CLOCKS;
      if (isNews && !(await show())) return plan(AFTER_A_TAP);
      since = now.since;
    }
    failures = 0;
    plan();
  } catch {
    failures += 1;
    plan();
  } finally {
    looking = false;
  }
}

// Show the page, or its list, as it is now. The answer is thrown away if the user has meanwhile tapped, or asked for another list.
async function show() {
  const list = document.getElementById("list"), before = [location.href, sent].join();
  const headers = { Purpose: "prefetch" }; // so it takes no message that is seenPage once
  if (list) Object.assign(headers, { "HX-Request": "true", "HX-Target": "list", "HX-Current-URL": location.href });
  const answer = await fetch(location.href, { headers });
  if (!answer.ok || answer.redirected) throw answer;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  if ([location.href, sent].join() !== before) return false;
  compare(partsOf(seenPage), partsOf(next), next);
  return true;
}

function compare(old, fresh, next) {
  const changed = [...old.keys()].filter((key) => fresh.has(key) && isNew(key, old.get(key), fresh.get(key)));
  const gone = missing(old, fresh, next).filter((row) => !isTappedHere(row));
  const come = missing(fresh, old, seenPage);
  unshown.clear();
  for (const key of changed) unshown.set(key, fresh.get(key));
  for (const row of gone) if (!("gone" in row.dataset)) unshown.set(partKey(row), null);
  const rows = [...unshown].filter(([key]) => old.get(key).dataset.row).length;
  catchUp();
  offerRows(gone.length + come.length);
  if (rows + come.length) announce(`${rows} ${rows === 1 ? "row" : "rows"} changed by others, ${come.length} new.`);
}

// Whether to draw a part. Of a row that was tapped here, its outcome and Undo stay, unless somebody else has changed it since.
function isNew(key, old, fresh) {
  const text = textOf(fresh);
  if (text === drawn.get(key) && !("gone" in old.dataset)) return false;
  if (!isTappedHere(old) || stateOf(old) !== stateOf(fresh)) return true;
  drawn.set(key, text);
  return false;
}

// The rows of one list that the other one lacks, but for those that its next or previous page may have.
function missing(rows, others, other) {
  const all = [...rows.values()].filter((part) => part.dataset.row);
  const both = all.filter((row) => others.has(partKey(row)));
  const start = other.querySelector("[rel=prev]") ? all.indexOf(both[0]) : 0;
  const end = other.querySelector("[rel=next]") ? all.indexOf(both.at(-1)) : all.length;
  return all.slice(Math.max(start, 0), end).filter((row) => !others.has(partKey(row)));
}

// Draw what waits and is not touched. What is touched, or else the first row that is seen, stays where it is.
function catchUp() {
  const parts = partsOf(seenPage), seen = [...parts.values()].filter((part) => part.getBoundingClientRect().top >= 0);
  const still = [...parts.values()].find(isTouched) ?? seen.find((part) => unshown.get(partKey(part)) === undefined);
  const top = still?.getBoundingClientRect().top;
  for (const [key, fresh] of unshown) {
    const old = parts.get(key);
    if (old && isTouched(old)) continue;
    unshown.delete(key);
    if (old) draw(key, old, fresh);
  }
  if (still) window.scrollBy({ top: still.getBoundingClientRect().top - top, behavior: "instant" });
}

function draw(key, old, fresh) {
  if (!fresh) {
    old.dataset.gone = "";
    const words = Object.assign(document.createElement("span"), { className: "left muted", textContent: " Left this list" });
    (old.querySelector(".outcome") ?? old.querySelector("th"))?.append(words); // where a tap says what it did, there is room
    return;
  }
  drawn.set(key, textOf(fresh));
  const tick = fresh.querySelector(".tick input");
  if (tick) tick.checked = old.querySelector(".tick input")?.checked ?? false;
  if (fresh.dataset.row) fresh.dataset.changed = "";
  old.replaceWith(fresh);
  htmx.process(fresh);
}

// A quiet line at the edge of the window, where it moves nothing.
function offerRows(count) {
  const line = document.getElementById("fresh-line");
  line.hidden = !count;
  line.firstChild.textContent = `${count} ${count === 1 ? "change" : "changes"} by others.`;
}
function announce(text) {
  document.getElementById("fresh-status").textContent = text;
}

document.addEventListener("DOMContentLoaded", () => {
  seenPage = document.querySelector("main[data-fresh]");
  if (!seenPage) return;
  const line = Object.assign(document.createElement("p"), { id: "fresh-line", hidden: true });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: "Show them" });
  button.addEventListener("click", () => htmx.ajax("GET", location.href, { target: "#list", swap: "innerHTML show:none" }));
  line.append(document.createElement("span"), " ", button);
  const status = Object.assign(document.createElement("p"), { id: "fresh-status", className: "sr-only" });
  status.setAttribute("role", "status");
  seenPage.append(line, status);
  begin();
  plan();
  for (const moment of ["pointermove", "pointerdown", "keydown", "scroll"]) {
    document.addEventListener(moment, () => {
      lastInput = Date.now();
      if (!nextLook && !looking) plan(0);
    }, { passive: true, capture: true });
  }
  for (const moment of ["pointerout", "focusout", "toggle"]) {
    document.addEventListener(moment, () => {
      clearTimeout(catching);
      if (unshown.size) catching = setTimeout(catchUp, LEFT);
    }, true);
  }
  document.addEventListener("visibilitychange", () => plan(0));
  document.addEventListener("htmx:beforeRequest", () => sent += 1);
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    sent += 1;
    if (detail.elt.matches(".tap")) plan(AFTER_A_TAP);
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => detail.target.id === "list" && begin());
});
