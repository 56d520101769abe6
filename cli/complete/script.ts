export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/**
 * What a shell runs to learn our words. Each hands the words over as separate arguments and never as text to be run again: on a
 * line that is still being typed, `$(...)` is text.
 */
export const completionScripts: Record<Shell, string> = {
  // Bash cuts words at = and : as well, so they are put together again; bash 3.2 (macOS) is enough.
  bash: `# tollgate completion for bash; in ~/.bashrc: source <(tollgate completion bash)
_tollgate_complete() {
  local line="\${COMP_LINE:0:COMP_POINT}" piece='' blank='' reply='' index last
  local -a words
  words=()
  for ((index = 0; index <= COMP_CWORD; index++)); do
    blank="\${line%%[![:space:]]*}"
    line="\${line#"$blank"}"
    piece="\${COMP_WORDS[index]}"
    ((index == COMP_CWORD)) && piece="$line"
    line="\${line#"$piece"}"
    last=$((\${#words[@]} - 1))
    if ((last < 0)) || [[ -n "$blank" ]]; then
      words+=("$piece")
    else
      words[last]+="$piece"
    fi
  done
  last=$((\${#words[@]} - 1))
  [[ "$piece" == [=:] ]] && piece=''
  local kept="\${words[last]%"$piece"}" quote=''
  [[ "\${words[last]}" == [\\"\\']* ]] && quote="\${words[last]:0:1}"
  for ((index = 1; index <= last; index++)); do
    words[index]="\${words[index]//[\\\\\\"\\']/}"
  done
  COMPREPLY=()
  while IFS= read -r reply; do
    if [[ "$reply" == ':files' ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -f -- "\${piece//[\\\\\\"\\']/}")
      return
    fi
    reply="\${reply%%$'\\t'*}"
    # In open quotes a name stands as it is: one that would end them, or be run in them, is left out.
    [[ "$quote" == "'" && "$reply" == *"'"* || "$quote" == '"' && "$reply" == *['"$\`\\!']* ]] && continue
    [[ -z "$quote" && "$reply" == *[!A-Za-z0-9_.,:=/@%+-]* ]] && printf -v reply '%q' "$reply"
    COMPREPLY+=("\${reply#"$kept"}")
  done < <("\${words[0]/#\\~/$HOME}" complete -- "\${words[@]:1}" 2>/dev/null </dev/null)
}
complete -F _tollgate_complete tollgate
`,
  zsh: `#compdef tollgate
# tollgate completion for zsh; in ~/.zshrc, behind compinit: source <(tollgate completion zsh)
_tollgate() {
  local -a lines values shown
  local line
  lines=("\${(@f)$("\${(Q)words[1]}" complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  if [[ "\${lines[1]}" == ':files' ]]; then
    _files
    return
  fi
  for line in "\${lines[@]}"; do
    [[ -z "$line" ]] && continue
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  (( \${#values} )) && compadd -l -d shown -a values
}
if [[ "\${funcstack[1]}" == _tollgate ]]; then
  _tollgate
else
  compdef _tollgate tollgate
fi
`,
  fish: `# tollgate completion for fish; in ~/.config/fish/config.fish: tollgate completion fish | source
function __tollgate_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct | string trim --left --chars '"\\'' | string replace --all '\\\\' '')
    set -l lines ($before[1] complete -- $before[2..-1] "$current" 2>/dev/null </dev/null)
    if test "$lines[1]" = ':files'
        __fish_complete_path (commandline -ct)
    else if test (count $lines) -gt 0
        printf '%s\\n' $lines
    end
end
complete -c tollgate -e
complete -c tollgate -f -a '(__tollgate_complete)'
`,
  // An empty last word is lost on the way to a program in older PowerShells, so the number of words goes ahead.
  powershell: `# tollgate completion for PowerShell; in $PROFILE: tollgate completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName tollgate -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { if ($null -ne $_.Value) { "$($_.Value)" } else { $_.Extent.Text } })
    $program = $words[0]
    $count = $words.Count - 1
    if ($wordToComplete -eq '') { $count = $count + 1 }
    $arguments = @($words | Select-Object -Skip 1)
    & $program complete $count -- @arguments 2>$null | ForEach-Object {
        $value, $description = $_ -split "\`t", 2
        if ($value -eq ':files') {
            Get-ChildItem -Path "$wordToComplete*" -Name | ForEach-Object { $value = $_
                [System.Management.Automation.CompletionResult]::new($value, $value, 'ProviderItem', $value) }
            return
        }
        if (-not $description) { $description = $value }
        $typed = $value
        if ($typed -match '[\\s''"\`$;,|&(){}<>@#]') { $typed = "'" + $typed.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($typed, $value, 'ParameterValue', $description)
    }
}
`,
};
