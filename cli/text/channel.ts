/** Lists of channels that are sorted or watched, files of channels, and tags. */
export const channelText = {
  'flag.sort': {
    en: 'order, with - before it from the largest down: {fields}',
    zh: '排序字段，前加 - 为降序：{fields}',
  },
  'flag.watch': {
    en: 'go on every 2 s: drawn anew on a terminal, changed lines elsewhere; Ctrl-C ends it',
    zh: '每 2 秒刷新：在终端上重绘，否则输出有变化的行；按 Ctrl-C 结束',
  },

  'help.channelExport': {
    en: 'print channels as JSON that channel import takes, with their keys unless --no-keys',
    zh: '以 JSON 输出渠道（可用 channel import 导入），默认包含密钥',
  },
  'help.channelImport': {
    en: 'make channels from a JSON file; a channel of the same name is left as it is, or changed with --update',
    zh: '从 JSON 文件导入渠道；同名渠道保持不变，使用 --update 则更新',
  },
  'flag.noKeys': { en: 'leave the keys out', zh: '不包含密钥' },
  'flag.importUpdate': { en: 'change channels of the same name too', zh: '同时更新同名渠道' },
  'argument.file': { en: 'a file, or - for standard input', zh: '文件，或用 - 表示标准输入' },
  'channel.askExportKeys': {
    en: 'The keys of {count} channel(s) will stand on this screen in clear. Go on?',
    zh: '将在屏幕上明文显示 {count} 个渠道的密钥，是否继续？',
  },
  'channel.exportedKeys': {
    en: 'the output holds the keys of {count} channel(s) in clear: keep it as you keep the keys, or use --no-keys',
    zh: '输出包含 {count} 个渠道的明文密钥，请妥善保管，或使用 --no-keys',
  },
  'channel.askImport': {
    en: 'Import: {created} new, {updated} to change. Go on?',
    zh: '导入：新建 {created} 个，更新 {updated} 个，是否继续？',
  },
  'channel.importUpdated': { en: 'channel {id} changed: {name} ({fields})', zh: '已修改渠道 {id}：{name}（{fields}）' },
  'channel.importUnchanged': { en: 'channel {id} is as the file says: {name}', zh: '渠道 {id} 与文件一致：{name}' },
  'channel.importKept': {
    en: 'channel {id} kept as it is: {name} (differs in {fields}; change it with --update)',
    zh: '渠道 {id} 保持不变：{name}（{fields} 不同，可用 --update 更新）',
  },

  'help.channelTag': {
    en: 'tags: list, enable, disable, update, dissolve',
    zh: '标签：列出、启用、禁用、修改、解散',
  },
  'help.tagList': { en: 'list tags with the number of their channels', zh: '列出标签及其渠道数' },
  'help.tagEnable': { en: 'put all channels of a tag into service', zh: '启用标签下的所有渠道' },
  'help.tagDisable': { en: 'take all channels of a tag out of service', zh: '禁用标签下的所有渠道' },
  'help.tagSet': { en: 'give channels a tag', zh: '为渠道设置标签' },
  'help.tagDissolve': { en: 'take the tag off all its channels', zh: '移除标签下所有渠道的标签' },
  'channel.tagSet': { en: '{count} channels have the tag {tag} now', zh: '已为 {count} 个渠道设置标签 {tag}' },
  'channel.tagDissolved': {
    en: 'the tag {tag} is gone from {count} channels',
    zh: '已从 {count} 个渠道移除标签 {tag}',
  },
  'channel.tagSwitched': {
    en: '{count} channels of the tag {tag} switched',
    zh: '已切换标签 {tag} 下的 {count} 个渠道',
  },
};
