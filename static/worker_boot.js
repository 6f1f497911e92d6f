// Starts a worker from what the page sends first: the address of a script, and a module or its address.
onmessage = async ({ data: [script, module] }) => {
  try {
    const { default: start } = await import(script);
    await start({ module_or_path: typeof module === "string" ? new URL(module, import.meta.url) : module });
  } catch (error) {
    // The page hears of errors that are thrown outside of promises.
    setTimeout(() => { throw error; });
  }
};
