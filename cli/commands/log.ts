import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addArchive } from './log/archive.ts';
import { addBringBack } from './log/bring-back.ts';
import { addClear } from './log/clear.ts';
import { addFollow } from './log/follow.ts';
import { addRead } from './log/read.ts';
import { addUnarchive } from './log/unarchive.ts';

export function define(noun: Command, context: Context): void {
  addRead(noun, context);
  addFollow(noun, context);
  addArchive(noun, context);
  addUnarchive(noun, context);
  addBringBack(noun, context);
  addClear(noun, context);
}
