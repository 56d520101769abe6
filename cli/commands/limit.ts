import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addRead } from './limit/read.ts';
import { addSwitch } from './limit/switch.ts';
import { addWrite } from './limit/write.ts';

export function define(noun: Command, context: Context): void {
  addRead(noun, context);
  addWrite(noun, context);
  addSwitch(noun, context);
}
