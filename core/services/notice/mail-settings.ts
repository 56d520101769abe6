import type { MailSettings } from '../../integrations/mail/smtp.ts';
import type { OptionService } from '../option/option.ts';

/** The mail server of the options, as it is at this moment. */
export function mailSettings({ get }: Pick<OptionService, 'get'>): MailSettings {
  return {
    host: get('SMTPServer').trim(),
    port: get('SMTPPort'),
    tls: get('SMTPSSLEnabled'),
    account: get('SMTPAccount').trim(),
    password: get('SMTPToken'),
    from: get('SMTPFrom').trim(),
    senderName: get('SystemName'),
  };
}
