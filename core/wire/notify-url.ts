import { AppError } from '../errors/app-error.ts';

const maxLength = 1024;

/** Where a client wants to be told that its job has ended; '' = nowhere. What lies behind the address is judged when it is called. */
export function readNotifyUrl(value: unknown, field: string): string {
  if (value === undefined || value === null || value === '') return '';
  if (typeof value !== 'string') throw new AppError('request.notText', { field }, { param: field });
  const isWebAddress = value.length <= maxLength && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  if (!isWebAddress) throw new AppError('task.notifyUrlWrong', { field, maximum: maxLength }, { param: field });
  return value;
}
