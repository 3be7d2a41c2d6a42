-- Let a game that is over and kept elsewhere go after a while.
-- KEYS: head, log, keys, the archive's due set. ARGV: version expected, milliseconds, game.
redis.call('ZREM', KEYS[4], ARGV[3])
if tonumber(redis.call('HGET', KEYS[1], 'version') or '0') ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'archived', 1)
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[2]) end
return 1
