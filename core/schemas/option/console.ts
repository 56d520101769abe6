import { chatList } from './json.ts';
import { decimal, flag, text, whole } from './kind.ts';
import { chatLink, link, originAddress } from './link.ts';

const page = 200_000;

/** Names, texts and display: what the console shows and how. */
export const consoleOptions = {
  SystemName: text('Tollgate', ['content', 'name of the installation', '系统名称'], 100),
  Logo: link(['content', 'address of the logo picture', 'Logo 图片地址'], true),
  Footer: text('', ['content', 'footer, HTML', '页脚，支持 HTML'], page),
  Notice: text('', ['content', 'notice, Markdown, HTML or a link', '公告，支持 Markdown、HTML 或链接'], page),
  About: text('', ['content', 'about page, Markdown, HTML or a link', '关于页面，支持 Markdown、HTML 或链接'], page),
  HomePageContent: text(
    '',
    ['content', 'home page, Markdown, HTML or a link', '首页内容，支持 Markdown、HTML 或链接'],
    page,
  ),
  /** Empty: consoles take the address in the browser's bar; what leaves this server without a browser needs it set. */
  ServerAddress: originAddress([
    'server',
    'public address of this installation, for links in mails and for payment',
    '服务器公网地址，用于邮件中的链接和支付',
  ]),
  TopUpLink: link(['general', 'link to an outside shop for quota', '充值链接']),
  ChatLink: chatLink(['general', 'older single chat link', '聊天页面链接（旧）']),
  ChatLink2: chatLink(['general', 'older second chat link', '聊天页面 2 链接（旧）']),
  Chats: chatList(['chat', 'chat links in the side menu, JSON list', '侧栏聊天链接，JSON 列表']),
  QuotaPerUnit: decimal(500_000, 1, 1_000_000_000, ['general', 'quota units per US dollar', '每美元对应的额度']),
  DisplayInCurrencyEnabled: flag(true, ['general', 'show amounts as currency', '以货币形式显示额度']),
  DisplayTokenStatEnabled: flag(true, [
    'general',
    'billing routes speak about the token instead of the user',
    '账单接口显示令牌额度而非用户额度',
  ]),
  DefaultCollapseSidebar: flag(false, ['general', 'start with the side menu collapsed', '默认折叠侧边栏']),
  DemoSiteEnabled: flag(false, ['general', 'show a demo banner', '演示站点模式']),
  SelfUseModeEnabled: flag(false, [
    'general',
    'allow models without a price at ratio 37.5',
    '自用模式：未设置价格的模型按倍率 37.5 计费',
  ]),
  'general_setting.docs_link': link(['general', 'link to the documentation', '文档地址']),
  'general_setting.ping_interval_enabled': flag(false, [
    'general',
    'send keep-alive pings in streams',
    '流式响应中发送保活消息',
  ]),
  'general_setting.ping_interval_seconds': whole(60, 1, 3600, ['general', 'seconds between pings', '保活间隔（秒）']),
  DrawingEnabled: flag(true, ['drawing', 'show the drawing menu', '显示绘图菜单']),
  TaskEnabled: flag(true, ['drawing', 'show the task menu', '显示任务菜单']),
};
