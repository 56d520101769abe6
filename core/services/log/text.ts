import type { Language } from '../../errors/app-error.ts';
import { type Log, logType } from '../../schemas/log.ts';

/** What our own rows say; what an admin noted stands behind the colon as it is. */
const chinese: [RegExp, string][] = [
  [/^gift for a new user$/, '新用户注册赠送'],
  [/^gift for accepting an invitation$/, '使用邀请码赠送'],
  [/^reward for inviting user #(\d+)$/, '邀请用户 #$1 的奖励'],
  [/^redeemed code #(\d+)$/, '兑换码 #$1 充值'],
  [/^online top-up, paid ([\d.]+)$/, '在线充值，支付金额 $1'],
  [/^quota changed by ([+-]\d+)$/, '管理员调整额度 $1'],
  [/^quota changed by ([+-]\d+): (.*)$/s, '管理员调整额度 $1：$2'],
  [/^failed task (\S+) refunded, request (\S+)$/, '任务 $1 失败，额度已退还，请求 $2'],
  [/^Held quota (\d+) returned after an unclean stop, request (\S+)$/, '异常停止后退还预扣额度 $1，请求 $2'],
];

/** A row is written once and read by people of either language. */
export function logsIn<T extends Log>(language: Language, logs: T[]): T[] {
  return language === 'en' ? logs : logs.map((log) => ({ ...log, content: contentZh(log) }));
}

function contentZh({ type, content }: Log): string {
  if (type === logType.consume) return content;
  const match = chinese.find(([pattern]) => pattern.test(content));
  return match ? content.replace(...match) : content;
}
