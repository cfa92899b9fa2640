# trackside.sh: sends a test page view and an event with curl. Run it with: sh trackside.sh
# Your backend does the same for real visitors. Choose its language to see how.
trackside='http://127.0.0.1:8080'
api_key='YOUR_API_KEY'
metrics='{
  "Browser": {
    "IP": "203.0.113.7",
    "UserAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
  },
  "Identify": { "ClientId": null },
  "Language": { "Code": "en" },
  "Location": { "CountryCode": "DE" },
  "Page": { "Absolute": "https://shop.example/" },
  "Referrer": { "Absolute": "https://www.google.com/" },
  "Screen": { "Width": 1920, "Height": 1080 }
}'

# All attempts have the same key, so the record counts once.
send() {
  curl "$trackside$1" --silent --show-error --max-time 3 --retry 2 --retry-all-errors \
    --header "Authorization: $api_key" \
    --header 'Content-Type: application/json' \
    --header "Idempotency-Key: test-$(date +%s)-$$-$1" \
    --data "$2"
  echo
}

send /api/page-view "{ \"Metrics\": $metrics }"
send /api/event-view "{
  \"Name\": \"Sign-up\",
  \"Parameters\": [{ \"Name\": \"plan\", \"Value\": \"pro\" }],
  \"Metrics\": $metrics
}"
