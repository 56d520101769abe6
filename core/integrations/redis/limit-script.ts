import { redisScript } from './redis-script.ts';

/**
 * Limits that several processes share. One run looks at every limit of a call and counts the call under all of them or under none.
 *
 * A window is a list: its first element is the number of calls, the others are `leaves:count`, oldest first, where `leaves` is the
 * millisecond at which so many calls leave the window. Calls at one time are a sorted set: call id, scored by the end of its lease,
 * so that a process that died takes its calls with it. Time is the time of Redis: the clocks of the processes may differ.
 *
 * ARGV: `enter`, call id, milliseconds of a lease, then kind, most, window in milliseconds, slice in milliseconds for each key.
 * Response: 1, stamp for each key; or 0, number of the key that refuses, milliseconds to wait.
 *
 * ARGV: `end`, call id, then kind, stamp for each key; windows named here take the call back.
 */
export const limitScript = redisScript(`
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function mark(text)
  local leaves, count = string.match(text, '^(%d+):(%d+)$')
  return tonumber(leaves), tonumber(count)
end

local function count(key, window)
  local total = redis.call('LPOP', key)
  if not total then return 0, 0 end
  total = tonumber(total)
  while true do
    local oldest = redis.call('LINDEX', key, 0)
    if not oldest then return 0, 0 end
    local leaves, number = mark(oldest)
    -- The clock was set back: nothing here could leave in time.
    if leaves > now + 2 * window then
      redis.call('DEL', key)
      return 0, 0
    end
    if leaves > now then
      redis.call('LPUSH', key, total)
      return total, leaves
    end
    redis.call('LPOP', key)
    total = total - number
  end
end

local function add(key, total, window, slice)
  local leaves = now + window
  if slice > 1 then leaves = (math.floor(now / slice) + 1) * slice + window end
  local last, number
  if total > 0 then last, number = mark(redis.call('LINDEX', key, -1)) end
  if last == leaves then
    redis.call('LSET', key, -1, string.format('%d:%d', leaves, number + 1))
  else
    redis.call('RPUSH', key, string.format('%d:1', leaves))
  end
  if redis.call('LLEN', key) == 1 then
    redis.call('LPUSH', key, 1)
  else
    redis.call('LSET', key, 0, total + 1)
  end
  redis.call('PEXPIRE', key, leaves - now)
  return leaves
end

local function takeBack(key, leaves)
  local marks = redis.call('LRANGE', key, 1, -1)
  for index, text in ipairs(marks) do
    local at, number = mark(text)
    if at == leaves and number > 0 then
      redis.call('LSET', key, index, string.format('%d:%d', at, number - 1))
      redis.call('LSET', key, 0, redis.call('LINDEX', key, 0) - 1)
      return
    end
  end
end

if ARGV[1] == 'end' then
  for index, key in ipairs(KEYS) do
    if ARGV[1 + 2 * index] == 'running' then
      redis.call('ZREM', key, ARGV[2])
    else
      takeBack(key, tonumber(ARGV[2 + 2 * index]))
    end
  end
  return 1
end

local lease = tonumber(ARGV[3])
local totals = {}
local refused, wait = 0, -1
for index, key in ipairs(KEYS) do
  local base = 4 * index
  local most, window = tonumber(ARGV[base + 1]), tonumber(ARGV[base + 2])
  local total, leaves
  if ARGV[base] == 'running' then
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
    total, leaves = redis.call('ZCARD', key), now
  else
    total, leaves = count(key, window)
  end
  totals[index] = total
  if total >= most and leaves - now > wait then refused, wait = index, leaves - now end
end
if refused > 0 then return { 0, refused, wait } end

local answer = { 1 }
for index, key in ipairs(KEYS) do
  local base = 4 * index
  if ARGV[base] == 'running' then
    redis.call('ZADD', key, now + lease, ARGV[2])
    redis.call('PEXPIRE', key, lease)
    answer[index + 1] = 0
  else
    answer[index + 1] = add(key, totals[index], tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3]))
  end
end
return answer
`);

/** Calls that still run: their leases begin again. ARGV: milliseconds of a lease, call ids; one key. */
export const leaseScript = redisScript(`
local clock = redis.call('TIME')
local ends = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[1]
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`);
