import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addRead } from './redemption/read.ts';
import { addSwitch } from './redemption/switch.ts';
import { addWrite } from './redemption/write.ts';

export function define(noun: Command, context: Context): void {
  addRead(noun, context);
  addWrite(noun, context);
  addSwitch(noun, context);
}
