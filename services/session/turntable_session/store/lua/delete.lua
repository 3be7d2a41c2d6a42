-- Delete a game and say so in the audit trail.
-- KEYS: head, log, keys, audit; then due sets; then lists. ARGV: game, list member, channel, number of due sets, audit entry.
local existed = redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
if existed == 0 then return 0 end
local dues = tonumber(ARGV[4])
for i = 5, #KEYS do
  if i < 5 + dues then redis.call('ZREM', KEYS[i], ARGV[1]) else redis.call('ZREM', KEYS[i], ARGV[2]) end
end
redis.call('XADD', KEYS[4], 'MAXLEN', '~', 100000, '*', 'e', ARGV[5])
redis.call('SPUBLISH', ARGV[3], ARGV[1] .. ' 0 deleted')
return 1
