-- Append one entry to a game's log, exactly once; everything that follows from it in the same step.
-- KEYS: head, log, keys; then the due sets; then the lists to leave; then the lists to enter.
-- ARGV: version and tag expected; key and digest of the request; entry, its tag, snapshot or '';
--       game, channel, news; number of due sets with a time or '' each; member and score for the lists, and how many are left.
local known = redis.call('HGET', KEYS[3], ARGV[3])
if known then return {'repeated', known} end
local at = redis.call('HMGET', KEYS[1], 'version', 'tag')
local version = tonumber(at[1] or '0')
if version ~= tonumber(ARGV[1]) or (at[2] or '') ~= ARGV[2] then return {'stale', version} end
version = version + 1
redis.call('XADD', KEYS[2], version .. '-0', 'e', ARGV[5])
if ARGV[7] == '' then
  redis.call('HSET', KEYS[1], 'version', version, 'tag', ARGV[6])
else
  redis.call('HSET', KEYS[1], 'version', version, 'tag', ARGV[6], 'at', version, 'game', ARGV[7])
end
redis.call('HSET', KEYS[3], ARGV[3], version .. ':' .. ARGV[4])
local dues = tonumber(ARGV[11])
for i = 1, dues do
  local time = ARGV[11 + i]
  if time == '' then redis.call('ZREM', KEYS[3 + i], ARGV[8])
  else redis.call('ZADD', KEYS[3 + i], time, ARGV[8]) end
end
local leaving = tonumber(ARGV[14 + dues])
for i = 4 + dues, #KEYS do
  if i < 4 + dues + leaving then redis.call('ZREM', KEYS[i], ARGV[12 + dues])
  else redis.call('ZADD', KEYS[i], ARGV[13 + dues], ARGV[12 + dues]) end
end
redis.call('SPUBLISH', ARGV[9], ARGV[8] .. ' ' .. version .. ' ' .. ARGV[10])
return {'saved', version}
