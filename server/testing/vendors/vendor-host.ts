import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';

export type Call = { method: string; url: URL; headers: IncomingHttpHeaders; body: string };

export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  json?: unknown;
  html?: string;
};

/** A method and a path, whose groups are passed on decoded. */
export type Route = [
  method: 'GET' | 'POST' | 'DELETE',
  path: RegExp,
  answer: (call: Call, ...groups: string[]) => Reply | Promise<Reply>,
];

/** Thrown by a route. */
export class Rejection extends Error {
  constructor(readonly reply: Reply) {
    super(`${reply.status}`);
  }
}

/** `silence`: no answer. `cut`: the connection breaks. A promise: the usual answer, once it has resolved. */
export type Fault = Reply | 'silence' | 'cut' | Promise<void>;

/** What all hosts of the vendors have in common. */
export type Traffic = {
  /** Like 'POST api.dropboxapi.com/2/files/list_folder 200', in order; without an answer 'none'. */
  calls: string[];
  /** A fault for the next call whose host and path contain the text. */
  failNext(part: string, fault: Fault): void;
  /** Delays the next call whose host and path contain the text. @returns lets it go on */
  hold(part: string): () => void;
  reset(): void;
  takeFault(target: string): Fault | undefined;
};

export function createTraffic(): Traffic {
  let faults: { part: string; fault: Fault }[] = [];
  let releases: (() => void)[] = [];
  const calls: string[] = [];
  const failNext: Traffic['failNext'] = (part, fault) => void faults.push({ part, fault });
  return {
    calls,
    failNext,
    hold(part) {
      let release = () => undefined as void;
      failNext(part, new Promise<void>((resolve) => (release = resolve)));
      releases.push(release);
      return release;
    },
    reset() {
      for (const release of releases) release();
      faults = [];
      releases = [];
      calls.length = 0;
    },
    takeFault(target) {
      const found = faults.find(({ part }) => target.includes(part));
      faults = faults.filter((each) => each !== found);
      return found?.fault;
    },
  };
}

/** @param options.isCors - for pages of any origin, with an Authorization header */
export function createHost(
  traffic: Traffic,
  routes: Route[],
  options: { unknown: Reply; isCors?: boolean },
): RequestListener {
  const replyTo = async (call: Call): Promise<Reply | 'silence' | 'cut'> => {
    const fault = traffic.takeFault(call.url.host + call.url.pathname);
    if (fault instanceof Promise) await fault;
    else if (fault) return fault;
    for (const [method, path, respond] of routes) {
      const groups = path.exec(call.url.pathname)?.slice(1).map(decodeURIComponent);
      if (groups && method === call.method) return respond(call, ...groups);
    }
    throw new Rejection(options.unknown);
  };
  return (request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '', `https://${request.headers.host}`);
      const call = { method: request.method ?? '', url, headers: request.headers, body: await text(request) };
      const cors = options.isCors
        ? { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'authorization' }
        : {};
      if (options.isCors && call.method === 'OPTIONS') return void response.writeHead(204, cors).end();
      const reply = await replyTo(call).catch((error: unknown): Reply => {
        if (error instanceof Rejection) return error.reply;
        console.error(error);
        return { status: 500, body: String(error) };
      });
      const target = `${call.method} ${url.host}${url.pathname}`;
      traffic.calls.push(`${target} ${typeof reply === 'string' ? 'none' : (reply.status ?? 200)}`);
      if (reply === 'silence') return;
      if (reply === 'cut') return void response.destroy();
      const [type, body] =
        reply.html !== undefined
          ? ['text/html; charset=utf-8', reply.html]
          : reply.json !== undefined
            ? ['application/json', JSON.stringify(reply.json)]
            : ['text/plain', reply.body ?? ''];
      response.writeHead(reply.status ?? 200, {
        'Content-Type': type,
        'Content-Length': String(Buffer.byteLength(body)),
        ...cors,
        ...reply.headers,
      });
      response.end(body);
    })();
  };
}

/** Escapes text for HTML. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function page(title: string, content: string): Reply {
  return {
    html: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1>${content}</html>`,
  };
}
