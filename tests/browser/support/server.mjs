// A static web server on a free port, without any header that a plain host would not send.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

/// Serves `folder` below `prefix`, and the texts of `pages` by their path.
export async function serve({ folder, prefix = "/", pages = {} }) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (path in pages) {
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? TYPES[".html"] }).end(pages[path]);
      return;
    }
    try {
      if (!folder || !path.startsWith(prefix)) throw new Error("outside");
      const inside = normalize(path.slice(prefix.length) || "index.html");
      if (inside.startsWith("..")) throw new Error("outside");
      const body = await readFile(join(folder, inside === "." ? "index.html" : inside));
      const type = TYPES[extname(inside)] ?? (inside.endsWith("/") || inside === "." ? TYPES[".html"] : "application/octet-stream");
      response.writeHead(200, { "content-type": type }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
