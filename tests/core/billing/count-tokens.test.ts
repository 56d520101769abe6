import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countPrompt } from '../../../core/billing/count-prompt.ts';
import { createTokenCounter, estimateTokens, type TokenCounter } from '../../../core/billing/count-tokens.ts';

const hello = 'hello world';
let counter: TokenCounter;
beforeAll(() => {
  counter = createTokenCounter();
});
afterAll(() => counter.close());

describe('token counter', () => {
  it('counts with the encoding of the model', async () => {
    // 你好世界 is two tokens in o200k and five in cl100k.
    for (const model of ['gpt-4o-mini', 'chatgpt-4o-latest', 'o1', 'o3-mini', 'o4-mini', 'gpt-4.1', 'gpt-5.4']) {
      expect(await counter.count(['你好世界'], model), model).toBe(2);
    }
    for (const model of ['gpt-4', 'gpt-3.5-turbo', 'claude-3-opus-20240229', 'deepseek-chat', '']) {
      expect(await counter.count(['你好世界'], model), model).toBe(5);
    }
  });

  it('adds up all texts of one call', async () => {
    expect(await counter.count([hello, '', hello, '!'], 'gpt-4o')).toBe(5);
    expect(await counter.count([], 'gpt-4o')).toBe(0);
  });

  it('serves many calls at once, each with its own count', async () => {
    const counts = await Promise.all(
      Array.from({ length: 50 }, (_, index) => counter.count(Array(index).fill(hello), index % 2 ? 'gpt-4' : 'gpt-4o')),
    );
    expect(counts).toEqual(Array.from({ length: 50 }, (_, index) => index * 2));
  });

  it('takes marks of the model format and broken characters as plain text', async () => {
    expect(await counter.count(['<|endoftext|>'], 'gpt-4o')).toBe(7);
    expect(await counter.count(['\ud800 lone'], 'gpt-4o')).toBeGreaterThan(0);
  });

  it('counts very long runs without a break in a few seconds, and nearly as before', async () => {
    const letters = 'a'.repeat(200_000); // eight letters are one token; uncut this takes half a minute
    expect(await counter.count([letters], 'gpt-4')).toBeCloseTo(25_000, -3);
    const words = 'word '.repeat(1000);
    expect(
      await counter.count([`${words}${'世'.repeat(2000)}${words}${' '.repeat(150_000)}`], 'gpt-4o'),
    ).toBeGreaterThan(4000);
    expect(await counter.count(['😀'.repeat(5_000)], 'gpt-4o')).toBeGreaterThan(4_999);
  }, 10_000);

  it('gives an estimate once it is closed', async () => {
    const closed = createTokenCounter();
    await closed.close();
    expect(await closed.count([hello], 'gpt-4o')).toBe(estimateTokens(11));
  });

  it('finishes running calls when it is closed', async () => {
    const closing = createTokenCounter();
    const count = closing.count([hello], 'gpt-4o');
    await closing.close();
    expect(await count).toBe(estimateTokens(11));
  });
});

describe('token counter whose worker dies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'count-tokens-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const losses: unknown[] = [];

  function counterWith(name: string, source: string): TokenCounter {
    const file = join(folder, name);
    writeFileSync(file, source);
    return createTokenCounter({
      startWorker: () => new Worker(pathToFileURL(file)),
      onWorkerLost: (cause) => losses.push(cause),
    });
  }

  it('starts another one, which counts what was under way', async () => {
    // The second life stands for the real worker and counts 7 for everything.
    const dying = counterWith(
      'dies-once.mjs',
      `import { existsSync, writeFileSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       const mark = ${JSON.stringify(join(folder, 'mark'))};
       const isSecondLife = existsSync(mark);
       parentPort.on('message', ({ id }) => {
         if (isSecondLife) return parentPort.postMessage({ id, count: 7 });
         writeFileSync(mark, '');
         process.exit(1);
       });`,
    );
    expect(await Promise.all([dying.count([hello], 'gpt-4o'), dying.count(['你好世界'], 'gpt-4')])).toEqual([7, 7]);
    expect(await dying.count([hello], 'gpt-4o')).toBe(7);
    expect(losses).toHaveLength(1);
    await dying.close();
  });

  it('estimates when the next one dies too, and says why', async () => {
    const dying = counterWith('dies.mjs', `throw new Error('no tokeniser here');`);
    expect(await dying.count([hello], 'gpt-4o')).toBe(estimateTokens(11));
    expect(await dying.count([hello], 'gpt-4o')).toBe(estimateTokens(11));
    expect(String(losses.at(-1))).toContain('no tokeniser here');
    await dying.close();
  });
});

describe('token counter whose worker cannot start', () => {
  it('estimates, says why, and tries again with the next count', async () => {
    const losses: unknown[] = [];
    let starts = 0;
    const counter = createTokenCounter({
      startWorker: () => {
        starts += 1;
        // The second one starts and dies under the count, the third cannot start again.
        if (starts === 2) return new Worker('process.exit(1)', { eval: true });
        throw new Error('no thread is left');
      },
      onWorkerLost: (cause) => losses.push(cause),
    });
    expect(await counter.count([hello], 'gpt-4o')).toBe(estimateTokens(11));
    expect(await counter.count([hello], 'gpt-4o')).toBe(estimateTokens(11));
    expect(starts).toBe(3);
    expect(String(losses.at(-1))).toContain('no thread is left');
    await counter.close();
  });
});

describe('token counter in the bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'count-bundle-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const source = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

  it('finds its worker below it, and an idle one lets the program end', async () => {
    const program = join(folder, 'program.ts');
    writeFileSync(
      program,
      `import { createTokenCounter } from ${JSON.stringify(source('core/billing/count-tokens.ts'))};
       createTokenCounter({ onWorkerLost: console.log }).count(['hello world'], 'gpt-4o').then(console.log);`,
    );
    const dist = join(folder, 'dist');
    await build({
      entryPoints: [
        { in: program, out: 'program' },
        { in: source('core/billing/count-worker.ts'), out: 'core/billing/count-worker' },
      ],
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outdir: dist,
    });
    writeFileSync(join(dist, 'package.json'), '{"type":"module"}');
    symlinkSync(source('node_modules'), join(dist, 'node_modules'));
    expect((await execa('node', [join(dist, 'program.js')], { timeout: 20_000 })).stdout).toBe('2');
  });
});

describe('estimate', () => {
  it('is near the count or above it, for prose, Chinese and code', async () => {
    const code = readFileSync(new URL('../../../core/billing/count-tokens.ts', import.meta.url), 'utf8');
    for (const text of ['The quick brown fox jumps over the lazy dog.', '敏捷的棕色狐狸跳过了懒狗。', code]) {
      const counted = await counter.count([text], 'gpt-4o');
      expect(estimateTokens(Buffer.byteLength(text)), text).toBeGreaterThanOrEqual(counted * 0.9);
    }
  });
});

describe('prompt tokens', () => {
  const count = (body: Record<string, unknown>, kind: Parameters<typeof countPrompt>[1], model = 'gpt-4') =>
    countPrompt(body, kind, counter, model);

  it('are 3 for each message and 3 for the response, besides role and content', async () => {
    // "user" 1 + "hello world" 2 + 3, twice, + 3
    const message = { role: 'user', content: hello };
    expect(await count({ messages: [message, message] }, 'chat')).toBe(15);
    expect(await count({ messages: [message, message] }, 'chat', 'gpt-3.5-turbo-0301')).toBe(17);
    expect(await count({ messages: [] }, 'chat')).toBe(3);
  });

  it('include a name, at 1 more, when the content is text', async () => {
    const bob = { role: 'user', name: 'bob', content: hello };
    expect(await count({ messages: [bob] }, 'chat')).toBe(11); // 9 + "bob" 1 + 1
    expect(await count({ messages: [bob] }, 'chat', 'gpt-3.5-turbo-0301')).toBe(10); // 10 + 1 - 1
  });

  it('are fixed for audio and pictures', async () => {
    const partly = (part: unknown, model?: string) =>
      count({ messages: [{ role: 'user', content: [{ type: 'text', text: hello }, part] }] }, 'chat', model);
    const picture = (image_url: unknown) => ({ type: 'image_url', image_url });
    expect(await partly({ type: 'input_audio', input_audio: {} })).toBe(109);
    expect(await partly(picture('https://example.com/a.png'))).toBe(264);
    expect(await partly(picture({ url: 'data:image/png;base64,AAAA' }))).toBe(264);
    expect(await partly(picture({ url: 'https://example.com/a.png', detail: 'low' }))).toBe(94);
    expect(await partly(picture('https://example.com/a.png'), 'gpt-4o-mini-2024-07-18')).toBe(8508);
    expect(await partly(picture('https://example.com/a.png'), 'glm-4v')).toBe(1056);
  });

  it('include every tool, not only the last', async () => {
    const message = { role: 'user', content: hello }; // 9
    const tool = { type: 'function', function: { name: 'hello', description: ' world' } }; // 2
    expect(await count({ messages: [message], tools: [tool] }, 'chat')).toBe(19);
    expect(await count({ messages: [message], tools: [tool, tool] }, 'chat')).toBe(21);
    expect(await count({ messages: [message], functions: [tool.function] }, 'chat')).toBe(19);
    const withParameters = { function: { name: 'hello', parameters: { type: 'object' } } };
    expect(await count({ messages: [message], tools: [withParameters] }, 'chat')).toBeGreaterThan(20);
  });

  it('include the tool calls of earlier turns', async () => {
    const turn = { role: 'user', content: null, tool_calls: [{ function: { name: 'hello', arguments: ' world' } }] };
    expect(await count({ messages: [turn] }, 'chat')).toBe(9); // 3 + 3 + "user" + "hello" + " world"
  });

  it('are text or token numbers for completions, embeddings and moderations', async () => {
    expect(await count({ prompt: hello }, 'completion')).toBe(2);
    expect(await count({ prompt: [hello, hello], suffix: '!' }, 'completion')).toBe(5);
    expect(await count({ prompt: [[1, 2, 3], [4]] }, 'completion')).toBe(4);
    expect(await count({ input: [15339, 1917, 0] }, 'embedding')).toBe(3);
    expect(await count({ input: [hello, hello] }, 'embedding')).toBe(4);
    expect(await count({ input: [{ type: 'text', text: hello }] }, 'moderation')).toBe(2);
  });

  it('are query and documents for a rerank, characters for tts speech', async () => {
    expect(await count({ query: hello, documents: [hello, { text: hello }] }, 'rerank')).toBe(6);
    expect(await count({ input: '你好😀' }, 'speech', 'tts-1')).toBe(3);
    expect(await count({ input: hello }, 'speech', 'gpt-4o-mini-tts')).toBe(2);
  });

  it('are counted for odd bodies without failing', async () => {
    expect(await count({}, 'chat')).toBe(3);
    expect(await count({ messages: [null, 1, { role: 5, content: 7 }], tools: 'none' }, 'chat')).toBe(7);
    expect(await count({ input: [[[['deep']]], null, {}] }, 'embedding')).toBe(0);
  });
});
