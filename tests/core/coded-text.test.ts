import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../core/errors/app-error.ts';
import { classifyUpstream } from '../../core/errors/classify-upstream.ts';
import { parseInput } from '../../core/http/console/parse-input.ts';
import { UpstreamFailure } from '../../core/integrations/outbound/upstream-client.ts';
import { toUpstreamError } from '../../core/relay/attempt/failure.ts';
import { modelMappingSchema, paramOverrideSchema } from '../../core/schemas/channel-json.ts';
import { optionDefinitions } from '../../core/schemas/option.ts';
import { idParams } from '../../core/schemas/query.ts';
import { userCreateSchema } from '../../core/schemas/user.ts';
import { auditIn } from '../../core/services/audit.ts';
import { infoIn } from '../../core/services/channel/view.ts';
import { coded } from '../../core/text/coded.ts';
import { templateOf, wordsIn } from '../../core/text/text.ts';

const root = join(import.meta.dirname, '../..');

function refusalOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a text whose language is not known yet', () => {
  it.each([
    [() => parseInput(idParams, { id: 'abc' }), 'id: a positive whole number', 'id：应为正整数'],
    [() => parseInput(modelMappingSchema, '[7]'), 'not a JSON object', '不是 JSON 对象'],
    [() => parseInput(paramOverrideSchema, '{"model":"x"}'), 'model cannot be overridden', '不能覆盖 model'],
    [() => parseInput(userCreateSchema, { username: 7 }), 'username: a text', 'username：应为文本'],
  ])('is said in the language of the reader: %#', (work, english, chinese) => {
    const refusal = refusalOf(work);
    expect(refusal.text('en')).toBe(`Invalid input: ${english}`);
    expect(refusal.text('zh')).toBe(`输入无效：${chinese}`);
    expect(refusal.message).toBe(refusal.text('en'));
  });

  it('stands inside another one, with a status before it', () => {
    const inner = new AppError('outbound.refused', { address: 'a', reason: coded('address.metadata') });
    const outer = `502 ${new AppError('channel.modelsUnread', { reason: inner.coded }).coded}`;
    expect(wordsIn('zh', outer)).toBe(
      `502 ${templateOf('zh', 'error', 'channel.modelsUnread')?.replace('{reason}', inner.text('zh'))}`,
    );
    expect(wordsIn('en', outer)).toContain(
      '502 the model list could not be read: requests to a are not allowed (cloud metadata address)',
    );
  });

  it('is kept for what failed on the way to an upstream, which clients are told in English', () => {
    const error = toUpstreamError(new UpstreamFailure('idleTimeout'));
    expect(error.message).toBe('The upstream stopped sending.');
    expect(wordsIn('zh', `504 ${error.coded}`)).toBe('504 上游停止发送数据');
  });

  it('says why a channel went off, in its row and in the audit trail', () => {
    const other_info = JSON.stringify({ status_reason: `502 ${coded('upstream.connect')}`, status_time: 7 });
    const shown = JSON.stringify({ status_reason: '502 无法连接上游', status_time: 7 });
    expect(infoIn('zh', other_info)).toBe(shown);
    const about = { action: 'channel.autoDisable', object_kind: 'channel', object_id: '1', address: '' };
    const row = {
      id: 1,
      created_at: 7,
      actor_id: 0,
      actor_name: '',
      ...about,
      object_name: '',
      sentence: [],
      before: null,
    };
    expect(auditIn('zh', { ...row, after: { status: 3, other_info } }, String).after).toEqual({
      status: 3,
      other_info: shown,
    });
    expect(auditIn('en', { ...row, after: { other_info: 'no JSON' } }, String).after).toEqual({
      other_info: 'no JSON',
    });
  });

  it('is Chinese for the form an option takes', () => {
    for (const [key, { kind, read }] of Object.entries(optionDefinitions)) {
      const reading = kind === 'json' ? read('{"a":{"b":[]},"c":') : read('javascript:1');
      if (!('fault' in reading) || !('form' in reading.fault) || reading.fault.form.startsWith('[{')) continue;
      expect(wordsIn('zh', reading.fault.form), key).toMatch(/\p{Script=Han}/u);
    }
  });
});

describe('the words of others', () => {
  const lookalike = coded('noun.user');

  it('are shown as they are, even where an upstream writes what looks like a text of ours', () => {
    const error = classifyUpstream({ status: 401, body: { error: { message: `no${lookalike}here` } }, headers: {} });
    const shown = 'no ["detail","noun.user",{}] here';
    expect(error.coded).toBe(shown);
    expect(wordsIn('zh', `401 ${error.coded}`)).toBe(`401 ${shown}`);
    const told = new AppError('channel.modelsRefused', { status: 401, reason: error.coded });
    expect(told.text('zh')).toContain(shown);
    expect(wordsIn('zh', told.coded)).toContain(shown);
  });

  it('and the names that people chose are not read as texts', () => {
    const error = new AppError('object.nameTaken', { what: coded('noun.user'), name: lookalike });
    expect(error.text('zh')).toBe(`用户“${lookalike}”已存在`);
    for (const text of [
      'quota exceeded',
      '\u001e',
      '\u001e[]\u001e',
      '\u001e["error","none",{}]\u001e',
      '\u001e{\u001e',
    ])
      expect(wordsIn('zh', text)).toBe(text);
  });
});

describe('detail texts', () => {
  it('are all used', () => {
    /** Put together from the kind of a failure, of a refusal, of a limit, or of what decided one. */
    const composed = /^(address|upstream|firstToken|limit\.measure|limit\.named|limit\.period)\./;
    const keys = readdirSync(join(root, 'core/text/en/detail')).flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(join(root, 'core/text/en/detail', file), 'utf8'))),
    );
    const source = ['core', 'cli']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
      )
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(name, 'utf8'))
      .join('\n');
    expect(keys.filter((key) => !key.endsWith('_one') && !composed.test(key) && !source.includes(`'${key}'`))).toEqual(
      [],
    );
  });
});

describe('English for people', () => {
  /** What models read, figures for a monitor, the demo's own response, and the exit code of a process. */
  const others =
    /json-schema-prompt|app-chat|near-openai|write-output|gemini\/write-request|openai-chat\/write-request|xunfei\/write-request|tool-order|relay-metrics|health-metrics|telemetry\/convention|demo-provider|doctor\/mend/;
  const files = [
    'core/providers',
    'core/wire',
    'core/canonical',
    'core/relay',
    'core/services',
    'core/integrations/credential',
    'cli',
  ]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => /\.tsx?$/.test(name) && !others.test(name));

  it('is not written where it is said, but once per language in the files of texts', () => {
    expect(files.length).toBeGreaterThan(600);
    expect(
      files.flatMap((name) => sentencesOf(readFileSync(join(root, name), 'utf8')).map((text) => `${name}: ${text}`)),
    ).toEqual([]);
  });

  it.each([
    "throw new UpstreamError({ status: 502, message: 'The response holds no image.', kind: 'retry' });",
    'throw new UpstreamError({\n  status: 502,\n  message: `no image in the response`,\n});',
    "const message = textOf(error) || 'The workflow failed.';",
    "const reason = isServed ? 'no id was given' : '';",
    "await fail(task, 'its channel was removed');",
  ])('is found in %j', (source) => {
    expect(sentencesOf(source)).toHaveLength(1);
  });

  /** Whole sentences, and words given as a message or a reason. Comments, logs, figures and mistakes in our own code are for others. */
  function sentencesOf(source: string): string[] {
    const code = source
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/(^|\s)\/\/ .*/g, '')
      .replace(/new (?:Range|Type)?Error\([^\n]*/g, '');
    const forms = [
      /(['`])[A-Z][a-z]+ (?:[^'`\n]*[a-z]\s)?[^'`\n]*[a-z}]\.\1/g,
      /\b(?:message|reason|msg)\b\s*[:=][^'`\n;]*(['`])[a-z]+ [^'`\n]* ?[^'`\n]*\1/g,
      /\bfail\(\w+, (['`])[a-z]+ [^'`\n]+\1/g,
    ];
    return forms.flatMap((form) => code.match(form) ?? []);
  }
});
