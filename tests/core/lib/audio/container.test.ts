import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { measureAudioSeconds } from '../../../../core/lib/audio-length.ts';
import {
  aacDescription,
  alacDescription,
  element,
  flac,
  mp4,
  mp4Fragment,
  mp4Track,
  oggOpus,
  oggPage,
  oggVorbis,
  opusPacket,
  vorbisHeads,
  vorbisPacket,
  webm,
  webmBlock,
  webmTrack,
} from '../../../support/audio-file.ts';

const oggPages = (packets: Buffer[]) =>
  Buffer.concat(packets.map((packet, at) => oggPage([packet], { isFirst: at === 0 })));
const times = <Item>(count: number, make: (at: number) => Item) => Array.from({ length: count }, (_, at) => make(at));
const measure = (bytes: Buffer) => measureAudioSeconds({ size: bytes.length, open: () => bytes });

/** As a file on the disk is read, but cut in the worst places. */
function measureInPieces(bytes: Buffer, pieceBytes: number) {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  return measureAudioSeconds({ size: bytes.length, open: () => Readable.from(pieces) });
}

/** Three packets in one block, with lengths as Xiph writes them, as EBML does, or all the same. */
const packet = opusPacket(300);
const laced = {
  xiph: { lacing: 1, payload: Buffer.concat([Buffer.from([2, 255, 45, 255, 45]), packet, packet, packet]) },
  ebml: { lacing: 3, payload: Buffer.concat([Buffer.from([2, 0x41, 0x2c, 0xbf]), packet, packet, packet]) },
  fixed: { lacing: 2, payload: Buffer.concat([Buffer.from([2]), packet, packet, packet]) },
};
const [identification = Buffer.alloc(0), comment = Buffer.alloc(0), setup = Buffer.alloc(0)] = vorbisHeads();
const vorbisConfig = Buffer.concat([
  Buffer.from([2, identification.length, comment.length]),
  identification,
  comment,
  setup,
]);
const aacFrames = (1024 * 500) / 44_100;

const known: [name: string, bytes: Buffer, seconds: number, format: string][] = [
  ['Ogg with Opus', oggOpus(times(500, () => opusPacket())), 10, 'ogg'],
  ['Ogg with Opus of few bits, in packets of three 20 ms', oggOpus(times(100, () => opusPacket(20, 0x18))), 6, 'ogg'],
  [
    'Ogg with Opus of a stated number of frames',
    oggOpus(times(100, () => Buffer.concat([Buffer.from([0x0b, 3]), Buffer.alloc(90)]))),
    6,
    'ogg',
  ],
  [
    'Ogg with a packet over two pages',
    Buffer.concat([
      oggOpus([]),
      oggPage([opusPacket(255)], { lengths: [255] }),
      oggPage([Buffer.alloc(10), opusPacket()], { isContinued: true }),
    ]),
    0.04,
    'ogg',
  ],
  [
    'Ogg with two sounds, one after the other',
    Buffer.concat([oggOpus(times(50, () => opusPacket())), oggOpus(times(50, () => opusPacket()))]),
    2,
    'ogg',
  ],
  ['Ogg with Vorbis', oggVorbis(times(441, () => vorbisPacket(true))), (440 * 1024) / 44_100, 'ogg'],
  [
    'Ogg with Vorbis of short and long blocks',
    oggVorbis(times(401, (at) => vorbisPacket(at % 2 === 0))),
    (400 * 576) / 44_100,
    'ogg',
  ],
  [
    'WebM with Opus',
    webm(
      [webmTrack('A_OPUS')],
      times(500, () => webmBlock(opusPacket())),
    ),
    10,
    'webm',
  ],
  [
    'WebM with a picture',
    webm(
      [webmTrack('V_VP8', { number: 2, type: 1 }), webmTrack('A_OPUS')],
      times(500, (at) => (at % 2 === 0 ? webmBlock(opusPacket()) : webmBlock(Buffer.alloc(3000), { number: 2 }))),
    ),
    5,
    'webm',
  ],
  ...Object.entries(laced).map(([name, { payload, lacing }]): (typeof known)[number] => [
    `WebM with ${name} lacing`,
    webm(
      [webmTrack('A_OPUS')],
      times(50, () => webmBlock(payload, { lacing })),
    ),
    3,
    'webm',
  ]),
  [
    'WebM with Vorbis',
    webm(
      [webmTrack('A_VORBIS', { config: vorbisConfig })],
      times(441, () => webmBlock(vorbisPacket(true))),
    ),
    (440 * 1024) / 44_100,
    'webm',
  ],
  [
    'Matroska with AAC',
    webm(
      [webmTrack('A_AAC', { config: Buffer.from('1210', 'hex') })],
      times(500, () => webmBlock(Buffer.alloc(90))),
    ),
    aacFrames,
    'webm',
  ],
  ['M4A', mp4([mp4Track({ samples: 500 })]), aacFrames, 'mp4'],
  ['M4A with its index at the end', mp4([mp4Track({ samples: 500 })], { isIndexLast: true }), aacFrames, 'mp4'],
  [
    'M4A with SBR',
    mp4([mp4Track({ samples: 500, description: aacDescription(Buffer.from('2b920800', 'hex')) })]),
    (1024 * 500) / 22_050,
    'mp4',
  ],
  [
    'M4A with ALAC',
    mp4([mp4Track({ samples: 100, description: alacDescription(4096, 48_000) })]),
    409_600 / 48_000,
    'mp4',
  ],
  [
    'MP4 with a picture',
    mp4([mp4Track({ samples: 5000, handler: 'vide', id: 2 }), mp4Track({ samples: 500 })], { content: 900_000 }),
    aacFrames,
    'mp4',
  ],
  [
    'MP4 in fragments',
    Buffer.concat([mp4([mp4Track({ samples: 0 })], { content: 0 }), ...times(10, () => mp4Fragment(50))]),
    aacFrames,
    'mp4',
  ],
  [
    'Ogg with FLAC',
    oggPages([
      Buffer.concat([Buffer.from('\u007fFLAC\u0001\u0000\u0000\u0001', 'latin1'), flac(0)]),
      Buffer.alloc(40),
      ...times(100, (at) => flac(at + 1, { bytesPerFrame: 200 }).subarray(42 + at * 200)),
    ]),
    (100 * 4096) / 44_100,
    'ogg',
  ],
  [
    'Matroska with FLAC',
    webm(
      [webmTrack('A_FLAC', { config: flac(0) })],
      times(100, (at) => webmBlock(flac(at + 1, { bytesPerFrame: 200 }).subarray(42 + at * 200))),
    ),
    (100 * 4096) / 44_100,
    'webm',
  ],
  ['FLAC', flac(200), (200 * 4096) / 44_100, 'flac'],
  ['FLAC with a short last frame', flac(3, { last: 1000, bytesPerFrame: 12 }), (2 * 4096 + 1000) / 44_100, 'flac'],
];

describe('the length of an audio file', () => {
  it.each(known)('is measured by its sound: %s', async (_name, bytes, seconds, format) => {
    const whole = await measure(bytes);
    expect(whole.measure).toBe(format);
    expect(whole.seconds).toBeCloseTo(seconds, 6);
    for (const pieceBytes of bytes.length < 20_000 ? [1, 7, 1000] : [997, 4096])
      expect(await measureInPieces(bytes, pieceBytes)).toEqual(whole);
  });

  it('is not what a small file claims: ten hours in less than 3 KB', async () => {
    const claims = [
      mp4([mp4Track({ samples: 1_550_390, entries: 10 })], { content: 300 }),
      flac(1, { bytesPerFrame: 300 }),
      webm([webmTrack('A_OPUS')], [webmBlock(opusPacket())]),
      oggOpus([opusPacket()]),
    ];
    for (const bytes of claims) {
      expect(bytes.length).toBeLessThan(3000);
      expect((await measure(bytes)).seconds).toBeLessThan(1);
    }
  });

  it.each<[string, Buffer]>([
    ['Ogg with another codec', Buffer.concat([oggPage([Buffer.from('Speex   ')], { isFirst: true }), oggOpus([])])],
    ['Ogg that goes on as something else', Buffer.concat([oggOpus([opusPacket()]), Buffer.alloc(40_000, 7)])],
    [
      'Vorbis without a setup',
      Buffer.concat([oggPage([identification], { isFirst: true }), oggPage([comment, comment])]),
    ],
    [
      'WebM with another codec',
      webm(
        [webmTrack('A_AC3')],
        times(50, () => webmBlock(Buffer.alloc(100))),
      ),
    ],
    [
      'WebM without a track',
      webm(
        [],
        times(50, () => webmBlock(Buffer.alloc(100))),
      ),
    ],
    [
      'WebM with a track of made-up length',
      Buffer.concat([webm([], []), Buffer.from('ae0fffffff', 'hex'), Buffer.alloc(9999)]),
    ],
    ['M4A with MP3 in it', mp4([mp4Track({ samples: 10, description: aacDescription(undefined, 0x6b) })])],
    ['M4A without a description', mp4([mp4Track({ samples: 10, description: Buffer.alloc(0) })])],
    ['MP4 without sound', mp4([mp4Track({ samples: 10, handler: 'vide' })])],
    ['MP4 whose box ends before it begins', Buffer.concat([mp4([]), Buffer.from([0, 0, 0, 3]), Buffer.alloc(9999)])],
    ['FLAC without frames', Buffer.concat([flac(0), Buffer.alloc(40_000)])],
    [
      'WebM of nothing but small elements',
      Buffer.concat([webm([webmTrack('A_OPUS')], [webmBlock(opusPacket())]), Buffer.alloc(90_000, 'ec80', 'hex')]),
    ],
    ['an element alone', element('1a45dfa3', Buffer.alloc(100))],
    ['a mark alone', Buffer.from('OggS')],
    ['a FLAC mark alone', Buffer.from('fLaC')],
  ])('is a guess from the size where it cannot be measured: %s', async (_name, bytes) => {
    expect(await measure(bytes)).toEqual({ seconds: bytes.length / 4000, measure: 'size' });
    expect(await measureInPieces(bytes, 5)).toEqual({ seconds: bytes.length / 4000, measure: 'size' });
  });

  it('is found for any bytes behind a known mark, in bounded memory and time', async () => {
    const marks = ['OggS', 'fLaC', '\u001a\u0045\u00df\u00a3', '\u0000\u0000\u0000\u0010ftypM4A '];
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed & 255;
    };
    for (const mark of marks) {
      for (let run = 0; run < 50; run += 1) {
        const bytes = Buffer.concat([Buffer.from(mark, 'latin1'), Buffer.from(times(3000, random))]);
        const { seconds } = await measure(bytes);
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThan(100);
      }
    }
  });
});
