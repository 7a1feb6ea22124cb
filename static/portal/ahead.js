// Fetch ahead what will probably be asked for: on a link where the pointer rests, which is touched, or which has the focus.
// What is fetched is used once, within seconds, and never after a change. Without this script, a click fetches it.
// docs/portal.md says what this costs.

const SWAPPED = "#list .pager :is([rel=next], [rel=prev])"; // htmx asks for the list
const OPENED = ".hits a, #command-results-list a, .beside :is([rel=next], [rel=prev])"; // the browser opens a page
const REST = 65, FRESH = 5000, PATIENCE = 10000; // milliseconds
let waiting = 0; // a timer, until the pointer has rested
let ahead = null; // what is fetched: its link, its address, the request of a list, and the timer that drops it

function drop() {
  clearTimeout(waiting);
  if (!ahead) return;
  clearTimeout(ahead.timer);
  delete ahead.link.dataset.ahead;
  ahead.request?.abort();
  ahead = null;
}

function fetchAhead(link) {
  if (ahead?.link === link) return;
  drop();
  ahead = { link, address: link.getAttribute("href"), timer: setTimeout(drop, FRESH) };
  if (link.matches(SWAPPED)) ahead.request = listAt(ahead.address);
  else link.dataset.ahead = ""; // the header Speculation-Rules lets the browser fetch what has this mark
}

function listAt(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address);
  request.timeout = PATIENCE;
  const headers = { "HX-Request": "true", "HX-Boosted": "true", "HX-Target": "list", "HX-Current-URL": location.href };
  for (const [name, value] of Object.entries({ ...headers, Purpose: "prefetch" })) request.setRequestHeader(name, value);
  request.send();
  return request;
}

// htmx's own request is not sent. It gets the answer to the request that was, or is sent after all if that failed.
function answer(own, request) {
  if (request.status !== 200) return XMLHttpRequest.prototype.send.call(own);
  for (const name of ["status", "response", "responseText", "responseURL"]) Object.defineProperty(own, name, { value: request[name] });
  for (const name of ["getResponseHeader", "getAllResponseHeaders"]) own[name] = request[name].bind(request);
  own.onload();
}
document.addEventListener("htmx:beforeSend", ({ detail: { xhr, requestConfig } }) => {
  const { request, address } = ahead ?? {};
  if (request && requestConfig.verb === "get" && requestConfig.path === address) {
    ahead.request = null;
    if (request.readyState === XMLHttpRequest.DONE) xhr.send = () => answer(xhr, request);
    else xhr.send = () => request.addEventListener("loadend", () => answer(xhr, request));
  }
  drop();
});
document.addEventListener("htmx:afterRequest", drop); // a change may have been made meanwhile
document.addEventListener("submit", drop);
document.addEventListener("visibilitychange", drop); // a change may be made in another tab

for (const [moment, rest] of Object.entries({ pointerover: REST, focusin: REST, pointerdown: 0 })) {
  document.addEventListener(moment, ({ target, button = 0, pointerType }) => {
    const link = target.closest(`${SWAPPED}, ${OPENED}`);
    clearTimeout(waiting);
    if (!link || button > 0 || navigator.connection?.saveData) return;
    waiting = setTimeout(fetchAhead, pointerType === "touch" ? REST : rest, link); // a touch may begin to scroll
  });
}
for (const end of ["pointercancel", "click"]) document.addEventListener(end, () => clearTimeout(waiting), true);
