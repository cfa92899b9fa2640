module trackside

go 1.21
