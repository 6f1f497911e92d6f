// Starts a worker. Its files have fixed names: the build in the query keeps old ones out of the cache.
const build = new URL(import.meta.url).search;
const { default: start } = await import(`./worker.js${build}`);
await start({ module_or_path: new URL(`./worker_bg.wasm${build}`, import.meta.url) });
