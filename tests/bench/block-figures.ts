import { setTimeout as wait } from 'node:timers/promises';
import { benchModel, type ClientProtocol, clientViews } from './calls.ts';
import type { RunningServer } from './gateway.ts';
import { median } from './rounds.ts';
import type { Figure } from './targets.ts';

interface BlockOptions {
  server: RunningServer;
  key: string;
  probePort: number;
  rounds: number;
}

const mebibyte = 1024 ** 2;
const sizes = [1, 8, 30];

/** Content of one user message, of about so many bytes. */
const contents: Record<string, (bytes: number, protocol: ClientProtocol) => unknown> = {
  text: (bytes) => 'The keeper of the road takes a tenth. '.repeat(bytes / 38),
  // A call may have 100,000 values.
  parts: (bytes) => Array.from({ length: 15_000 }, () => ({ type: 'text', text: 'tollgate'.repeat(bytes / 120_000) })),
  escapes: (bytes) => '"\n\\ \u4ee4'.repeat(bytes / 12),
  picture: (bytes, protocol) => {
    const data = Buffer.alloc((bytes * 3) / 4, 'toll').toString('base64');
    return protocol === 'anthropic'
      ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]
      : [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }];
  },
};

/** The longest block of the event loop while one call with a large body passes; the worst of all shapes, each the median of its rounds. */
export async function blockFigures({ server, key, probePort, rounds }: BlockOptions): Promise<Figure[]> {
  let worst = { milliseconds: 0, name: '' };
  for (const protocol of Object.keys(clientViews) as ClientProtocol[]) {
    for (const [name, content] of Object.entries(contents)) {
      for (const size of sizes) {
        const body = bodyOf(content(size * mebibyte, protocol));
        const blocks: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          await longestBlock(probePort);
          await call({ server, key, protocol, body });
          blocks.push(await longestBlock(probePort));
        }
        const milliseconds = median(blocks);
        if (milliseconds > worst.milliseconds) worst = { milliseconds, name: `${size} MiB of ${name}, ${protocol}` };
      }
    }
  }
  return [{ name: 'longestBlock', value: worst.milliseconds, detail: worst.name }];
}

function bodyOf(content: unknown): string {
  const question = { role: 'user', content: 'bench 0 0 ' };
  return JSON.stringify({ model: benchModel, max_tokens: 16, messages: [question, { role: 'user', content }] });
}

async function call(asked: Pick<BlockOptions, 'server' | 'key'> & { protocol: ClientProtocol; body: string }) {
  const { path, plainMark } = clientViews[asked.protocol];
  const response = await fetch(`http://127.0.0.1:${asked.server.port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${asked.key}`, 'content-type': 'application/json' },
    body: asked.body,
  });
  const text = await response.text();
  if (!text.includes(plainMark)) throw new Error(`a large call got ${response.status}: ${text.slice(0, 300)}`);
}

/** Milliseconds since the last look. */
async function longestBlock(probePort: number): Promise<number> {
  // What is counted and written after the response belongs to the call.
  await wait(200);
  return Number(await (await fetch(`http://127.0.0.1:${probePort}/`)).text());
}
