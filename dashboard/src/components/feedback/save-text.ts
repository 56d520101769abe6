import { saveFile } from '../../state/save-file.ts';

/** Hands a text to the browser as a file. */
export function saveText(name: string, text: string): void {
  saveFile(name.replace(/[\\/:*?"<>|]/g, '_'), new Blob([text], { type: 'text/plain;charset=utf-8' }));
}
