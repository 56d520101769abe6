import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addQuota } from './user/quota.ts';
import { addRead } from './user/read.ts';
import { addSwitch } from './user/switch.ts';
import { addWrite } from './user/write.ts';

export function define(noun: Command, context: Context): void {
  addRead(noun, context);
  addWrite(noun, context);
  addSwitch(noun, context);
  addQuota(noun, context);
}
