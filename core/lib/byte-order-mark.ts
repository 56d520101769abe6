/** The bytes without the mark that some frameworks put before a text: every reader of UTF-8 skips it. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}
