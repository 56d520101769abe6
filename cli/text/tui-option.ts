/** Settings in the terminal UI. */
export const tuiOptionText = {
  'tui.option.key': { en: 'KEY', zh: '键' },
  'tui.option.value': { en: 'VALUE', zh: '值' },
  'tui.option.card': { en: 'CARD', zh: '分类' },
  'tui.option.own': { en: 'OWN', zh: '已改' },
  'tui.option.isOwn': { en: 'yes', zh: '是' },
  'tui.option.isSet': { en: '(set, hidden)', zh: '（已设置，不显示）' },
  'tui.option.isNotSet': { en: '(not set)', zh: '（未设置）' },
  'tui.option.reset': { en: 'back to default', zh: '恢复默认' },
  'tui.option.switch': { en: 'on/off', zh: '开/关' },
  'tui.option.empty': { en: 'there are no settings', zh: '没有设置' },
  'tui.option.noSwitch': { en: '{key} is no switch; E edits it', zh: '{key} 不是开关，按 E 编辑' },
  'tui.option.field': { en: 'Value', zh: '值' },
  'tui.option.hintLines': { en: 'one per line; pasting keeps the lines', zh: '每行一个；可粘贴多行' },
  'tui.option.hintList': { en: 'separated by commas', zh: '逗号分隔' },
  'tui.option.hintSwitch': { en: 'true or false', zh: 'true 或 false' },
  'tui.option.hintSecret': { en: 'hidden; empty keeps what is stored', zh: '不显示；留空则保留原值' },
  'tui.option.askKeepSecret': {
    en: 'Send the stored secret to the new address as well?',
    zh: '是否将已保存的密钥用于新地址？',
  },
  'tui.option.askStale': {
    en: '{names} changed this option while you edited it. Overwrite that change?',
    zh: '{names} 在你编辑期间修改了该选项，是否覆盖对方的修改？',
  },
};
