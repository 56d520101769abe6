/** Settings as a file, and settings put back. */
export const optionText = {
  'help.optionExport': {
    en: 'print what you have set as JSON that option import takes; without secrets',
    zh: '以 JSON 输出已修改的设置（可用 option import 导入），不含密钥',
  },
  'help.optionImport': {
    en: 'set everything a JSON file names, or nothing when any of it is wrong',
    zh: '按 JSON 文件修改设置；任何一项有误则全部不改',
  },
  'flag.withSecrets': { en: 'secrets too, in clear', zh: '同时输出明文密钥' },
  'flag.resetAll': { en: 'everything you have set', zh: '恢复所有已修改的设置' },
  'option.askExportSecrets': {
    en: 'Secrets will stand on this screen in clear. Go on?',
    zh: '密钥将在屏幕上明文显示，是否继续？',
  },
  'option.exportedSecrets': {
    en: 'the output holds secrets in clear: keep it as you keep them',
    zh: '输出包含明文密钥，请妥善保管',
  },
  'option.askImport': { en: 'Import changes {count} setting(s): {keys}', zh: '导入将修改 {count} 项设置：{keys}' },
  'option.imported': { en: '{count} setting(s) changed: {keys}', zh: '已修改 {count} 项设置：{keys}' },
  'option.importNothing': { en: '0 changed: everything is as the file says', zh: '0 项更改：设置已与文件一致' },
  'option.allDefault': { en: 'every setting is at its default', zh: '所有设置均为默认值' },
};
