import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClientEvent, writeSettings } from '../../../../core/wire/realtime/read-client-event.ts';
import { readServerEvent } from '../../../../core/wire/realtime/read-server-event.ts';

const server = (event: unknown) => readServerEvent(JSON.stringify(event));
const client = (text: string) => readClientEvent(Buffer.from(text));

describe('an event of the upstream', () => {
  it.each([
    ['response.output_text.delta', 'text'],
    ['response.text.delta', 'text'],
    ['response.output_audio_transcript.delta', 'text'],
    ['response.audio_transcript.delta', 'text'],
    ['response.function_call_arguments.delta', 'text'],
    ['response.output_audio.delta', 'audio'],
    ['response.audio.delta', 'audio'],
    ['session.created', 'created'],
    ['transcription_session.updated', 'updated'],
    ['response.created', 'started'],
    ['response.done', 'done'],
    ['conversation.item.input_audio_transcription.completed', 'transcribed'],
    ['error', 'error'],
    ['rate_limits.updated', 'other'],
    ['something.new', 'other'],
  ])('%s is known in the names of both interfaces: %s', (type, kind) => {
    expect(server({ type })?.kind).toBe(kind);
  });

  it.each([
    [{ audio: { output: { format: { type: 'audio/pcmu' } } } }, 8000],
    [{ output_audio_format: 'g711_alaw' }, 8000],
    [{ audio: { output: { format: { type: 'audio/pcm', rate: 24_000 } } } }, 48_000],
    [{ output_audio_format: 'pcm16' }, 48_000],
    [{ output_audio_format: 'flac' }, undefined],
    [{}, undefined],
  ])('tells how sound is written: %j', (session, bytesPerSecond) => {
    const event = server({ type: 'session.updated', session });
    expect(event?.kind === 'updated' && event.facts.outputFormat?.bytesPerSecond).toBe(bytesPerSecond);
  });

  it.each([
    [{ input_audio_transcription: { model: 'whisper-1' } }, 'whisper-1'],
    [{ audio: { input: { transcription: { model: 'gpt-4o-transcribe' } } } }, 'gpt-4o-transcribe'],
    [{ audio: { input: { transcription: null } } }, ''],
    [{ input_audio_transcription: null }, ''],
    [{ voice: 'alloy' }, undefined],
  ])('tells who writes down speech: %j', (session, model) => {
    const event = server({ type: 'session.updated', session });
    expect(event?.kind === 'updated' && event.facts.transcriptionModel).toBe(model);
  });

  it('B148 any input is read or ignored, and never throws', () => {
    const types = fc.constantFrom('response.done', 'session.created', 'error', 'response.created', 'x');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), types, fc.jsonValue(), (other, type, value) => {
        const event = { ...other, type, response: value, session: value, error: value, delta: value };
        expect(
          readServerEvent(JSON.stringify(event, (_key, item) => (typeof item === 'bigint' ? 0 : item))),
        ).toBeDefined();
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void readServerEvent(text)));
  });
});

describe('an event of the client', () => {
  it('measures sound without reading it', () => {
    expect(client('{"type":"input_audio_buffer.append","audio":"QUJD"}')).toEqual({ kind: 'audio', base64Length: 4 });
    expect(client('{"type":"input_audio_buffer.append"}')).toEqual({ kind: 'audio', base64Length: 0 });
  });

  it('counts what the model is told', () => {
    const content = [{ type: 'input_text', text: 'häh' }, { type: 'input_audio', audio: 'QUJD' }, null];
    const event = client(JSON.stringify({ type: 'conversation.item.create', item: { content } }));
    expect(event).toEqual({ kind: 'content', textBytes: 4, audioBase64Length: 4 });
    const output = JSON.stringify({ type: 'conversation.item.create', item: { output: 'done' } });
    expect(client(output)).toEqual({ kind: 'content', textBytes: 4, audioBase64Length: 0 });
  });

  it.each([
    ['a key twice', '{"type":"a","type":"b"}', 'duplicateKey'],
    ['a key twice, once in disguise', '{"type":"a","\\u0074ype":"b"}', 'duplicateKey'],
    ['its type in other letters', '{"type":"a","Type":"session.update"}', 'forbiddenKey'],
    ['a long s', '{"type":"session.update","\u017fession":{}}', 'forbiddenKey'],
    ['the model in other letters', '{"type":"session.update","session":{"Model":"dear"}}', 'forbiddenKey'],
    [
      'a model deep inside in other letters',
      '{"type":"session.update","session":{"audio":{"input":{"transcription":{"MODEL":"dear"}}}}}',
      'forbiddenKey',
    ],
    ['no object', '[]', 'notJson'],
    ['no JSON', '{"type":', 'notJson'],
    ['100,000 levels', `{"type":"x","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'tooDeep'],
  ])('R10 is refused when it can be read in two ways, or in none: %s', (_name, text, fault) => {
    expect(() => client(text)).toThrow(expect.objectContaining({ fault }));
  });

  it('is refused when it is not UTF-8', () => {
    const text = Buffer.from('{"type":"session.update","session":{"model":"dear\xff"}}', 'latin1');
    expect(() => readClientEvent(text)).toThrow(expect.objectContaining({ fault: 'notJson' }));
    const wide = Buffer.from('{"type":"session.update"}', 'utf16le');
    expect(() => readClientEvent(wide)).toThrow(expect.objectContaining({ fault: 'notJson' }));
  });

  it('leaves the letters of names inside tools to their author', () => {
    const tools = [{ type: 'function', name: 'f', parameters: { type: 'object', properties: { Model: {} } } }];
    expect(client(JSON.stringify({ type: 'session.update', session: { tools } })).kind).toBe('settings');
  });

  it.each([
    [false, { audio: { input: { transcription: { model: 'cheap' }, format: 'x' } } }],
    [true, { audio: { input: { format: 'x' } }, input_audio_transcription: { model: 'dear' } }],
  ])(
    'names the model that writes down speech in two places: both are judged, one is sent (beta: %s)',
    (isBeta, sent) => {
      const session = {
        audio: { input: { transcription: { model: 'cheap' }, format: 'x' } },
        input_audio_transcription: { model: 'dear' },
      };
      const event = client(JSON.stringify({ type: 'session.update', session }));
      if (event.kind !== 'settings') throw new Error('no settings');
      expect(event.facts.transcriptionModels).toEqual(['cheap', 'dear']);
      expect(JSON.parse(writeSettings(event.json, 'theirs', isBeta))).toEqual({
        type: 'session.update',
        session: sent,
      });
    },
  );

  it('R10 settings are sent as they were read, under the name the upstream knows the model by', () => {
    const event = client('{"type":"session.update","session":{"model":"mine","voice":"alloy"},"event_id":"e1"}');
    if (event.kind !== 'settings') throw new Error('no settings');
    expect(event).toMatchObject({ eventId: 'e1', facts: { model: 'mine' } });
    expect(JSON.parse(writeSettings(event.json, 'theirs', false))).toEqual({
      type: 'session.update',
      event_id: 'e1',
      session: { model: 'theirs', voice: 'alloy' },
    });
    const plain = client('{"type":"response.create","response":{"instructions":"x"}}');
    if (plain.kind !== 'settings') throw new Error('no settings');
    expect(writeSettings(plain.json, 'theirs', false)).toBe(
      '{"type":"response.create","response":{"instructions":"x"}}',
    );
  });
});
