import type { Command } from 'commander';
import { completionScripts, type Shell, shells } from '../complete/script.ts';
import type { Context } from '../context.ts';
import { example } from '../flag/selection.ts';

export function define(noun: Command, context: Context): void {
  const { output, speak } = context;
  example(
    noun,
    context,
    'completion bash > ~/.local/share/bash-completion/completions/tollgate',
    'completion zsh > ~/.zsh/completions/_tollgate',
    'completion fish > ~/.config/fish/completions/tollgate.fish',
    'completion powershell >> $PROFILE',
  );
  noun
    .addArgument(noun.createArgument('<shell>', speak('argument.shell')).choices(shells))
    .action((shell: Shell) => output.text(completionScripts[shell]));
}
