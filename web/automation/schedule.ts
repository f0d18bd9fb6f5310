// Times that come again, as people say them, and as the server takes them: minute, hour, day, month, weekday.
export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

export const weekdayNames: Record<string, string> = {
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
};

export type Rhythm = 'hour' | 'day' | 'week' | 'month' | 'own';

interface Schedule {
  rhythm: Rhythm;
  /** `09:00`; of an hour only its minute counts. */
  time: string;
  days: string[];
  dayOfMonth: number;
  cron: string;
}

const two = (number: number): string => String(number).padStart(2, '0');

const plain = /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|\*) \* (\*|[A-Z,]+)$/;

export const readCron = (cron: string): Schedule => {
  const other: Schedule = { rhythm: 'own', time: '09:00', days: ['MON'], dayOfMonth: 1, cron };
  const [, minute = '0', hour = '*', day = '*', weekday = '*'] = plain.exec(cron.trim()) ?? [];
  if (!plain.test(cron.trim())) return other;
  const time = `${two(hour === '*' ? 0 : Number(hour))}:${two(Number(minute))}`;
  if (hour === '*') return day === '*' && weekday === '*' ? { ...other, rhythm: 'hour', time } : other;
  if (day === '*' && weekday === '*') return { ...other, rhythm: 'day', time };
  if (day === '*') {
    const days = weekday.split(',');
    return days.every((one) => one in weekdayNames) ? { ...other, rhythm: 'week', time, days } : other;
  }
  return weekday === '*' ? { ...other, rhythm: 'month', time, dayOfMonth: Number(day) } : other;
};

export const cronOf = ({ rhythm, time, days, dayOfMonth, cron }: Schedule): string => {
  const [hour = 9, minute = 0] = time.split(':').map(Number);
  switch (rhythm) {
    case 'hour':
      return `${minute} * * * *`;
    case 'day':
      return `${minute} ${hour} * * *`;
    case 'week':
      return `${minute} ${hour} * * ${weekdays.filter((day) => days.includes(day)).join(',') || 'MON'}`;
    case 'month':
      return `${minute} ${hour} ${dayOfMonth} * *`;
    case 'own':
      return cron;
  }
};
