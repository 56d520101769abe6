import { expect, it } from 'vitest';
import { noticeText } from '../../../../core/services/notice/delivery.ts';
import { resetMail } from '../../../../core/services/notice/mail-text.ts';

const link = 'https://gate.example.com/task';
const contentOf = (count: number) => {
  const lines = Array.from({ length: count }, (_, n) => `task ${n + 1}`);
  return { title: { en: 'ended', zh: '已结束' }, lines: { en: lines, zh: lines }, link };
};

it('a notice has its link behind all it tells, and not between two of several things', () => {
  const { text, html } = noticeText('Tollgate', contentOf(3));
  expect(text).toBe(Array(2).fill(`task 1\n\ntask 2\n\ntask 3\n\n${link}`).join('\n\n'));
  expect(html.indexOf(link)).toBeGreaterThan(html.indexOf('task 3'));
});

it('a notice says how much of it is left out', () => {
  const { text } = noticeText('Tollgate', contentOf(103));
  expect(text).toContain(`task 100\n\nand 3 more lines\n\n${link}`);
  expect(text).toContain(`task 100\n\n还有 3 行\n\n${link}`);
  expect(text).not.toContain('task 101');
  expect(noticeText('Tollgate', contentOf(100)).text).toContain(`task 100\n\n${link}`);
});

it('a mail with a link says behind it how long it is valid', () => {
  expect(resetMail('en', 'Tollgate', link, 10).text).toMatch(
    /password:\n\nhttps:.*\n\nThe link is valid for 10 minutes/,
  );
});
