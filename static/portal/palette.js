// The command palette keeps the pages that were opened from it, in this browser, for this user, until the logout. On a phone, it
// is the search.

const RECENT = "recent", MOST_RECENT = 6;
const FIELD = "#search-input-command", RESULTS = "command-results", CHOSEN = `#${RESULTS} li.active a`, FIRST = `#${RESULTS} li a`;
// As templates/search/_palette.html draws a result.
const HIT = `<li class="group" data-hit="recent"><a class="bg-base-100 flex items-center rounded-default px-3.5 py-3 select-none
    group-[.active]:bg-primary-600 group-[.active]:text-white dark:bg-white/[.04] dark:text-base-200 dark:group-[.active]:bg-primary-600
    dark:group-[.active]:text-white"><span class="material-symbols-outlined mr-4 text-sm" aria-hidden="true">history</span>
    <span class="min-w-0"><bdi class="font-medium"></bdi><span class="mx-1" aria-hidden="true">•</span><bdi></bdi></span></a></li>`;
const recentKey = () => `${RECENT}:${document.querySelector("main[data-user]")?.dataset.user}`;

function recentHits() {
  try {
    return JSON.parse(localStorage.getItem(recentKey())) ?? [];
  } catch {
    return []; // the store may be forbidden, or spoilt
  }
}
function keepRecent(link) {
  const [title, place] = [...link.querySelectorAll("bdi")].map((part) => part.textContent);
  const hit = { title, place, address: link.getAttribute("href") };
  const kept = [hit, ...recentHits().filter(({ address }) => address !== hit.address)].slice(0, MOST_RECENT);
  try {
    localStorage.setItem(recentKey(), JSON.stringify(kept));
  } catch { /* then nothing is kept */ }
}

// While nothing is typed, the palette shows them. Unfold's script moves through them as through results.
function showRecent() {
  const hits = recentHits().filter(({ address }) => address?.startsWith("/") && !address.startsWith("//"));
  const results = document.getElementById(RESULTS);
  if (!hits.length || document.querySelector(FIELD).value) return;
  const list = Object.assign(document.createElement("ul"), { id: "command-results-list", className: "flex flex-col gap-1.5 p-4", ariaLabel: "Opened lately" });
  list.innerHTML = HIT.repeat(hits.length);
  hits.forEach(({ title, place, address }, number) => {
    const item = list.children[number];
    item.setAttribute("x-bind:class", `{'active': currentIndex === ${number + 1}}`);
    item.setAttribute("x-on:mouseenter", `currentIndex = ${number + 1}`);
    item.querySelector("a").setAttribute("href", address);
    [title, place].forEach((text, part) => item.querySelectorAll("bdi")[part].textContent = text);
  });
  drawHits(results, list);
}
function drawHits(results, ...content) {
  results.replaceChildren(...content);
  results.dispatchEvent(new CustomEvent("htmx:after-swap", { bubbles: true })); // to Unfold's script
}
document.addEventListener("input", ({ target }) => { // whoever types means none of them
  if (target.matches(FIELD) && document.querySelector(`#${RESULTS} [data-hit=recent]`)) drawHits(document.getElementById(RESULTS));
});
document.addEventListener("focusin", ({ target }) => target.matches(FIELD) && showRecent());
document.addEventListener("htmx:afterSettle", ({ detail }) => detail.target.id === RESULTS && showRecent());

document.addEventListener("click", ({ target }) => {
  const link = target.closest(FIRST);
  if (link) keepRecent(link);
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches(FIELD)) {
    const link = document.querySelector(CHOSEN) ?? (event.target.value ? document.querySelector(FIRST) : null);
    if (link) keepRecent(link);
    if (!link && !event.target.value) event.stopPropagation(); // nothing is asked for
  }
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && event.target.matches("input, textarea")) openPalette(event);
}, true);
document.addEventListener("submit", ({ target }) => {
  if (!target.getAttribute("action")?.endsWith("/logout/")) return; // an element may be called "action"
  for (const key of Object.keys(localStorage)) if (key.startsWith(`${RECENT}:`)) localStorage.removeItem(key);
});

// On a narrow screen, the header has a button without a field.
function openPalette(event) {
  event.preventDefault();
  window.dispatchEvent(new CustomEvent("opencommand"));
}
document.addEventListener("click", (event) => {
  const finder = event.target.closest(".finder .button")?.form;
  if (finder && !finder.elements.q.checkVisibility() && document.querySelector(FIELD)) openPalette(event);
});
