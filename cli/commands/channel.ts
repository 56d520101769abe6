import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addHealth } from './channel/health.ts';
import { addKey } from './channel/key.ts';
import { addRead } from './channel/read.ts';
import { addSwitch } from './channel/switch.ts';
import { addTag } from './channel/tag.ts';
import { addTest } from './channel/test.ts';
import { addTransfer } from './channel/transfer.ts';
import { addUpkeep } from './channel/upkeep.ts';
import { addWrite } from './channel/write.ts';

export function define(noun: Command, context: Context): void {
  addRead(noun, context);
  addHealth(noun, context);
  addWrite(noun, context);
  addSwitch(noun, context);
  addTest(noun, context);
  addUpkeep(noun, context);
  addTag(noun, context);
  addKey(noun, context);
  addTransfer(noun, context);
}
