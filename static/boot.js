// Starts the page. Trunk would write this into the document, where the security policy forbids it.
const script = document.querySelector("script[data-wasm]");
const address = (name) => new URL(script.dataset[name], document.baseURI);

function wantedTheme() {
  const asked = new URLSearchParams(location.search).get("theme");
  if (asked) return asked;
  try {
    return localStorage.getItem("dragontree.theme");
  } catch {
    return null; // Storage is closed to frames of other sites.
  }
}

const theme = wantedTheme();
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

// A surrounding page may speak before the page can hear: its messages are kept until then.
const early = [];
const keep = (event) => early.push(event);
addEventListener("message", keep);

try {
  const { default: start } = await import(address("module"));
  await start({ module_or_path: address("wasm") });
  removeEventListener("message", keep);
  for (const { data, origin, source } of early) {
    dispatchEvent(new MessageEvent("message", { data, origin, source }));
  }
} catch (error) {
  const notice = document.querySelector("#loading");
  if (notice) notice.textContent = `The page could not be started in this browser: ${error.message}`;
}
