import { describe, expect, it } from 'vitest';
import { emptyUsage } from '../../../../core/canonical/usage.ts';
import { readResponseUsage, readTranscriptionUsage } from '../../../../core/wire/realtime/usage.ts';

const parts = { text_tokens: 400, audio_tokens: 600, cached_tokens: 500 };

describe('the usage of a spoken response', () => {
  it.each([
    [
      'cached sound and text are taken out of their kinds',
      { ...parts, cached_tokens_details: { text_tokens: 300, audio_tokens: 200 } },
      { cachedRead: 500, audioInput: 400 },
    ],
    ['without details the cached part begins with the text', parts, { cachedRead: 500, audioInput: 500 }],
    ['without cache all sound is new', { text_tokens: 400, audio_tokens: 600 }, { cachedRead: 0, audioInput: 600 }],
    [
      'pictures count apart',
      {
        text_tokens: 100,
        audio_tokens: 600,
        image_tokens: 300,
        cached_tokens: 200,
        cached_tokens_details: { text_tokens: 100, image_tokens: 100, audio_tokens: 0 },
      },
      { cachedRead: 200, audioInput: 600, imageInput: 200 },
    ],
    ['parts above their sum are cut', { audio_tokens: 5000 }, { cachedRead: 0, audioInput: 1000 }],
    ['more cached than there is, is cut', { cached_tokens: 9999 }, { cachedRead: 1000, audioInput: 0 }],
    ['no parts at all is text', undefined, { cachedRead: 0, audioInput: 0 }],
  ])('%s', (_name, input_token_details, expected) => {
    const output_token_details = { text_tokens: 20, audio_tokens: 80 };
    const usage = { input_tokens: 1000, output_tokens: 100, input_token_details, output_token_details };
    const read = readResponseUsage(usage);
    expect(read).toEqual({ ...emptyUsage, prompt: 1000, completion: 100, audioOutput: 80, ...expected });
  });

  it.each([
    undefined,
    null,
    'many',
    [],
    {},
    { input_tokens: 5 },
    { input_tokens: -1, output_tokens: 5 },
    { input_tokens: 1.5, output_tokens: 5 },
    { input_tokens: '10', output_tokens: 5 },
    { input_tokens: 1e18, output_tokens: 5 },
    { input_tokens: 0, output_tokens: 0 },
  ])('M7 is not believed: %j', (usage) => {
    expect(readResponseUsage(usage)).toBeUndefined();
  });
});

describe('the usage of speech that was written down', () => {
  it('is tokens or seconds, as the model is sold', () => {
    const tokens = { type: 'tokens', input_tokens: 20, output_tokens: 10, input_token_details: { audio_tokens: 15 } };
    expect(readTranscriptionUsage(tokens)).toMatchObject({ kind: 'tokens', usage: { prompt: 20, audioInput: 15 } });
    expect(readTranscriptionUsage({ type: 'duration', seconds: 7.5 })).toEqual({ kind: 'seconds', seconds: 7.5 });
  });

  it.each([undefined, {}, { type: 'duration' }, { type: 'duration', seconds: -1 }, { type: 'duration', seconds: 1e9 }])(
    'M7 is not believed: %j',
    (usage) => {
      expect(readTranscriptionUsage(usage)).toBeUndefined();
    },
  );
});
