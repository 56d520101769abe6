/**
 * QR codes of texts up to 331 bytes: byte mode, error correction M, versions 1 to 13 (ISO/IEC 18004). Enough for a link of an
 * authenticator app; answers rows of modules, true for dark.
 */
export function qrCode(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = blocksOf.findIndex((_blocks, index) => index > 0 && bytes.length <= capacityOf(index));
  if (version < 0) throw new RangeError(`${bytes.length} bytes are too many for this QR code`);
  const drawing = new Drawing(version);
  drawing.drawData(interleaved(dataWords(bytes, version), version));
  return drawing.withBestMask();
}

/** By version; error correction words in each block, and the number of blocks. */
const correctionOf = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22];
const blocksOf = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9];
const sizeOf = (version: number) => version * 4 + 17;
const at = <T>(list: ArrayLike<T>, index: number): T => list[index] as T;

/** Modules that are left for data and correction when the patterns stand. */
function rawWords(version: number): number {
  const alignments = Math.floor(version / 7) + 2;
  const patterns = version < 2 ? 0 : (25 * alignments - 10) * alignments - 55 + (version >= 7 ? 36 : 0);
  return Math.floor(((16 * version + 128) * version + 64 - patterns) / 8);
}

const dataLength = (version: number) => rawWords(version) - at(correctionOf, version) * at(blocksOf, version);
const lengthBits = (version: number) => (version < 10 ? 8 : 16);
const capacityOf = (version: number) => Math.floor((dataLength(version) * 8 - 4 - lengthBits(version)) / 8);

function dataWords(bytes: Uint8Array, version: number): number[] {
  const length = bytes.length.toString(2).padStart(lengthBits(version), '0');
  const content = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const whole = dataLength(version) * 8;
  const ended = `0100${length}${content}0000`.slice(0, whole);
  const bits = ended.padEnd(Math.ceil(ended.length / 8) * 8, '0');
  const words = (bits.match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 2));
  for (let pad = 0xec; words.length < dataLength(version); pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

/** Blocks with their correction, one word of each in turn. */
function interleaved(data: number[], version: number): number[] {
  const count = at(blocksOf, version);
  const correction = at(correctionOf, version);
  const raw = rawWords(version);
  const shortLength = Math.floor(raw / count) - correction;
  const firstLong = count - (raw % count);
  const generator = generatorOf(correction);
  let start = 0;
  const blocks = Array.from({ length: count }, (_, index) => {
    const words = data.slice(start, start + shortLength + (index < firstLong ? 0 : 1));
    start += words.length;
    return { words, correction: remainder(words, generator) };
  });
  const taken: number[] = [];
  for (let index = 0; index <= shortLength; index++)
    for (const { words } of blocks) if (index < words.length) taken.push(at(words, index));
  for (let index = 0; index < correction; index++) for (const block of blocks) taken.push(at(block.correction, index));
  return taken;
}

/** In the field of 256 elements with 0x11d. */
function times(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((right >>> bit) & 1) * left;
  }
  return product;
}

function generatorOf(degree: number): number[] {
  const terms: number[] = Array.from({ length: degree }, (_, index) => (index === degree - 1 ? 1 : 0));
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let index = 0; index < degree; index++)
      terms[index] = times(at(terms, index), root) ^ (index + 1 < degree ? at(terms, index + 1) : 0);
    root = times(root, 2);
  }
  return terms;
}

function remainder(words: number[], generator: number[]): number[] {
  const rest = generator.map(() => 0);
  for (const word of words) {
    const factor = word ^ (rest.shift() ?? 0);
    rest.push(0);
    generator.forEach((term, index) => {
      rest[index] = at(rest, index) ^ times(term, factor);
    });
  }
  return rest;
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Drawing {
  readonly #version: number;
  readonly #size: number;
  readonly #dark: boolean[][];
  /** Patterns, which no mask touches. */
  readonly #fixed: boolean[][];

  constructor(version: number) {
    this.#version = version;
    this.#size = sizeOf(version);
    this.#dark = this.#empty();
    this.#fixed = this.#empty();
    this.#drawPatterns();
  }

  /** Up and down in columns of two, from the right, past the column of the timing pattern. */
  drawData(words: number[]): void {
    let bit = 0;
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.#size; step++) {
        const isUp = ((right + 1) & 2) === 0;
        const y = isUp ? this.#size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (at(at(this.#fixed, y), x) || bit >= words.length * 8) continue;
          this.#row(y)[x] = ((at(words, bit >>> 3) >>> (7 - (bit & 7))) & 1) === 1;
          bit++;
        }
      }
    }
  }

  withBestMask(): boolean[][] {
    const tries = masks.map((mask, index) => {
      this.#drawFormat(index);
      return this.#dark.map((row, y) => row.map((dark, x) => (at(at(this.#fixed, y), x) ? dark : dark !== mask(x, y))));
    });
    return tries.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
  }

  #empty = () => Array.from({ length: this.#size }, () => Array.from({ length: this.#size }, () => false));
  #row = (y: number) => at(this.#dark, y);

  #set(x: number, y: number, dark: boolean): void {
    this.#row(y)[x] = dark;
    at(this.#fixed, y)[x] = true;
  }

  #drawPatterns(): void {
    const size = this.#size;
    for (let index = 0; index < size; index++) {
      this.#set(6, index, index % 2 === 0);
      this.#set(index, 6, index % 2 === 0);
    }
    for (const [x, y] of [
      [3, 3],
      [size - 4, 3],
      [3, size - 4],
    ] as const)
      this.#drawFinder(x, y);
    const places = alignmentPlaces(this.#version);
    const last = places.length - 1;
    places.forEach((x, column) => {
      places.forEach((y, row) => {
        const isFinder = (column === 0 && (row === 0 || row === last)) || (column === last && row === 0);
        if (!isFinder) this.#drawSquares(x, y, 2, [1]);
      });
    });
    this.#drawFormat(0);
    this.#drawVersion();
  }

  #drawFinder(x: number, y: number): void {
    this.#drawSquares(x, y, 4, [2, 4]);
  }

  /** Squares around a centre, dark but for those of the given distance. */
  #drawSquares(centreX: number, centreY: number, reach: number, light: number[]): void {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        const [x, y] = [centreX + dx, centreY + dy];
        if (x < 0 || y < 0 || x >= this.#size || y >= this.#size) continue;
        this.#set(x, y, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  }

  /** Level M is 0; twice, beside the finders. */
  #drawFormat(mask: number): void {
    const bits = checked(mask, 0x537, 10) ^ 0x5412;
    const size = this.#size;
    const bit = (index: number) => ((bits >>> index) & 1) === 1;
    for (let index = 0; index <= 5; index++) this.#set(8, index, bit(index));
    this.#set(8, 7, bit(6));
    this.#set(8, 8, bit(7));
    this.#set(7, 8, bit(8));
    for (let index = 9; index < 15; index++) this.#set(14 - index, 8, bit(index));
    for (let index = 0; index < 8; index++) this.#set(size - 1 - index, 8, bit(index));
    for (let index = 8; index < 15; index++) this.#set(8, size - 15 + index, bit(index));
    this.#set(8, size - 8, true);
  }

  #drawVersion(): void {
    if (this.#version < 7) return;
    const bits = checked(this.#version, 0x1f25, 12);
    for (let index = 0; index < 18; index++) {
      const dark = ((bits >>> index) & 1) === 1;
      const [near, far] = [Math.floor(index / 3), this.#size - 11 + (index % 3)];
      this.#set(far, near, dark);
      this.#set(near, far, dark);
    }
  }
}

/** A number with its check bits behind it. */
function checked(value: number, divisor: number, bits: number): number {
  let rest = value;
  for (let step = 0; step < bits; step++) rest = (rest << 1) ^ ((rest >>> (bits - 1)) * divisor);
  return (value << bits) | rest;
}

function alignmentPlaces(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const far = Array.from({ length: count - 1 }, (_, index) => sizeOf(version) - 7 - index * step);
  return [6, ...far.reverse()];
}

const finderLike = /(?=10111010000)|(?=00001011101)/g;

/** How hard it is to read: long runs, blocks, what looks like a finder, and too much of one colour. */
function penalty(modules: boolean[][]): number {
  const rows = modules.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''));
  const columns = rows.map((_row, x) => rows.map((row) => row[x]).join(''));
  let points = 0;
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/1{5,}|0{5,}/g) ?? []) points += run.length - 2;
    points += [...line.matchAll(finderLike)].length * 40;
  }
  for (let y = 1; y < rows.length; y++)
    for (let x = 1; x < rows.length; x++) {
      const square = at(rows, y - 1).slice(x - 1, x + 1) + at(rows, y).slice(x - 1, x + 1);
      if (square === '0000' || square === '1111') points += 3;
    }
  const share = modules.flat().filter(Boolean).length / rows.length ** 2;
  return points + Math.floor(Math.abs(share * 20 - 10)) * 10;
}
