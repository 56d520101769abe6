import type { Key as InkKey } from 'ink';

/** One key: a printable character under itself, others by name; `paste` and `text` carry several characters. */
export interface Key {
  name: string;
  /** What it writes; '' for keys that write nothing. */
  text: string;
}

/** What terminals send for the Delete key. */
export const deleteSequence = '\u001b[3~';

const pasteStart = '[200~';
const pasteEnd = '[201~';
const lastControl = 26;

/** Keys with a name, as Ink reports them. */
const named: [flag: keyof InkKey, name: string][] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  // Terminals send DEL for the backspace key, which Ink calls delete, as it does the key of that name.
  ['delete', 'backspace'],
];

/** The rest of an unknown escape sequence. */
const unknownSequence = /^\[[\d;?<>]*[A-Za-z~^$]$/;

/** Splits what arrived at once into single keys; what is between the marks of a paste stays one. */
export function createKeySplitter(): (input: string, key: InkKey, sequence?: string) => Key[] {
  let pasted: string | undefined;

  return (input, key, sequence) => {
    if (input === pasteStart) {
      pasted = '';
      return [];
    }
    if (input === pasteEnd) {
      const text = withFeeds(pasted ?? '');
      pasted = undefined;
      return text === '' ? [] : [{ name: 'paste', text }];
    }
    if (pasted !== undefined) {
      pasted += key.return ? '\n' : key.tab ? '\t' : input;
      return [];
    }
    return sequence === deleteSequence ? [press('delete')] : keysOf(input, key);
  };
}

function keysOf(input: string, key: InkKey): Key[] {
  const name = named.find(([flag]) => key[flag])?.[1];
  if (name) return [press(name)];
  if (key.tab) return [press(key.shift ? 'shift-tab' : 'tab')];
  if (key.return) return [press('enter')];
  if (key.ctrl) return input.length === 1 ? [press(`ctrl-${input}`)] : [];
  // Esc and the next key came at once, which terminals also send for Alt; nothing of ours is under Alt.
  if (key.meta) return [press('escape'), ...[...input].map(single)];
  if (unknownSequence.test(input)) return [];
  // Without marks only the line breaks inside tell a paste from quick fingers.
  if (/[\r\n][^\r\n]/.test(input)) return [{ name: 'paste', text: withFeeds(input) }];
  return [...input].map(single);
}

/** Terminals send each line break of what is pasted as the Enter key. */
const withFeeds = (text: string) => text.replaceAll(/\r\n?/g, '\n');

function single(character: string): Key {
  const code = character.charCodeAt(0);
  if (character === '\r' || character === '\n') return press('enter');
  if (character === '\t') return press('tab');
  if (code === 8 || code === 127) return press('backspace');
  if (code > 0 && code <= lastControl) return press(`ctrl-${String.fromCharCode(code + 96)}`);
  return { name: character, text: code < 32 ? '' : character };
}

const press = (name: string): Key => ({ name, text: '' });
