import type { Command } from 'commander';
import { version } from '../../core/version.ts';
import type { Context } from '../context.ts';

export function define(noun: Command, { output }: Context): void {
  noun.action(() => {
    const facts = { version, node: process.versions.node, platform: `${process.platform}-${process.arch}` };
    output.record(facts, `tollgate ${version} (Node.js ${facts.node}, ${facts.platform})`);
  });
}
